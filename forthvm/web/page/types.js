/**
 * The messages of the server and the parts of a scene, for the type checker; see forthvm/game/scene.py.
 *
 * @typedef {[number, number]} Point
 * @typedef {{name: string, corners: Point[], centre: Point, size: number, shade: number, round: boolean, dot: boolean,
 *   beside: boolean, group: string, decoration: string | null, label: string}} Square
 * @typedef {{text: string, at: Point}} Label
 * @typedef {{width: number, height: number, squares: Square[], blanks: Point[][],
 *   lines: [Point, Point][], labels: Label[], picture: string | null, pixel: number}} Board
 * @typedef {{square: string, type: string, player: number, label: string, symbol: string | null}} Piece
 * @typedef {{type: string, count: number, label: string, symbol: string | null}} Stored
 * @typedef {Stored & {player: number, value: number}} Material Equal pieces that a player has at the start, or has lost.
 * @typedef {{name: string, fill: string, ink: string, outline: string, neutral: boolean, chance: boolean,
 *   eliminated: boolean, store: Stored[]}} Player
 * @typedef {{player: number, type: string, label: string, symbol: string | null}} Kind A piece that can be put on the board.
 * @typedef {{pieces: [player: number, type: string, square: string, attribute: number][], turn: number, values: number[]}} Setup
 *   `turn`: its index in the turn order; `values` of the fields.
 * @typedef {{palette: Kind[], fields: {kind: "number" | "stored" | "mark", name: string}[], marks: string[], turns: string[],
 *   start: Setup, now: Setup}} Editable What can be changed in a position; the value of a mark is 0 or an index of `marks` from 1.
 * @typedef {{square: string, kind: string, reason?: string}} Mark
 * @typedef {{from: string, to: string, kind: string, label?: string}} Arrow
 * @typedef {{player: number, move: string, effects: string[], short?: string}} Happening
 * @typedef {{pieces: Piece[], players: Player[], turn: string | null, turns: {player: number, moves: number}[],
 *   result: string | null, dice: number[], marks: Mark[], events: Happening[], notes: string[]}} Scene
 * @typedef {{svg?: string, based?: boolean, png?: string, width: number, height: number}} Drawing
 * @typedef {Record<string, Drawing>} Drawings The drawings of pieces and squares, by their keys in the scene.
 * @typedef {[kind: string, name: string, player: string | null, node: GestureNode]} Follow A click and the node after it.
 * @typedef {{move?: number, text?: string, short?: string, clicks?: Follow[]}} GestureNode
 * @typedef {{is: "paragraph" | "heading" | "code", text: string} | {is: "list", items: string[]}
 *   | {is: "table", rows: string[][]}} Block
 * @typedef {{sections: {kind: string, blocks: Block[]}[], pieces: {type: string, blocks: Block[]}[],
 *   settings: [name: string, value: string, meaning: string][], notes: string[]}} Texts
 * @typedef {{name: string, help: string, value: string, choices: {value: string, help: string}[]}} Setting
 *   Without choices, the value is a number.
 * @typedef {{players: string[], engines: string[], variants: string[], variant: string | null, settings: Setting[], picture: string}} Options
 * @typedef {{player: string, by: string, mine: boolean, left: string | null, key: string | null}} Seat
 *   `left` says why the player has left the game; the key is there for the owner only.
 * @typedef {{control: string, left: Record<string, number>, running: string | null}} Clocks Seconds by player.
 * @typedef {{code: string, values: Record<string, string | number>, text: string}} Coded A text of the server.
 * @typedef {{file: string, line: number, column: number, length: number, source: string}} Place In the source.
 *
 * @typedef {{is: "game", title?: string, board: Board, symbols: Drawings, material?: Material[],
 *   alternating?: string[], has_short?: boolean, has_secrets?: boolean, texts?: Texts,
 *   offline?: boolean, explains?: boolean, piece_sets?: string[], name?: string, address?: string,
 *   text_forms?: {position?: string, game?: string}, suffixes?: string[],
 *   games?: {name: string, title: string}[], levels?: [number, number | null][]}} Game
 * @typedef {{is: "state", title: string, node: number, ply: number, board: Board | null, scene: Scene, material?: Material[] | null,
 *   gestures: GestureNode | null, seats: Seat[], engines: string[], result: Coded | null, is_owner: boolean,
 *   watch_key: string | null, may_redo: boolean, may_step_back?: boolean, may_draw?: boolean, allows_analysis: boolean, clocks?: Clocks | null,
 *   offer?: {kind: string, by: string[], mine: boolean, asks_me: boolean} | null}} State
 */
export {};
