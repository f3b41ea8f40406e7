/**
 * The messages of the server and the parts of a scene, for the type checker; see forthvm/game/scene.py.
 *
 * @typedef {[number, number]} Point
 * @typedef {{name: string, corners: Point[], centre: Point, size: number, shade: number, round: boolean, beside: boolean, decoration: string | null,
 *   label: string}} Square
 * @typedef {{text: string, at: Point}} Label
 * @typedef {{width: number, height: number, squares: Square[], blanks: Point[][],
 *   lines: [Point, Point][], labels: Label[], picture: string | null, pixel: number}} Board
 * @typedef {{square: string, type: string, player: number, label: string, symbol: string | null}} Piece
 * @typedef {{type: string, count: number, label: string, symbol: string | null}} Stored
 * @typedef {{name: string, fill: string, ink: string, outline: string, neutral: boolean, chance: boolean,
 *   eliminated: boolean, store: Stored[]}} Player
 * @typedef {{square: string, kind: string, reason?: string}} Mark
 * @typedef {{from: string, to: string, kind: string, label?: string}} Arrow
 * @typedef {{player: number, move: string, effects: string[]}} Happening
 * @typedef {{pieces: Piece[], players: Player[], turn: string | null, turns: {player: number, moves: number}[],
 *   result: string | null, dice: number[], marks: Mark[], events: Happening[], notes: string[]}} Scene
 * @typedef {{svg?: string, based?: boolean, png?: string, width: number, height: number}} Drawing
 * @typedef {import("./gesture.js").GestureNode} GestureNode
 * @typedef {{is: "paragraph" | "heading" | "code", text: string} | {is: "list", items: string[]}
 *   | {is: "table", rows: string[][]}} Block
 * @typedef {{sections: {kind: string, blocks: Block[]}[], pieces: {type: string, blocks: Block[]}[],
 *   settings: [name: string, value: string, meaning: string][], notes: string[]}} Texts
 * @typedef {{is: "game", title?: string, board: Board, symbols: Record<string, Drawing>, texts?: Texts, study?: boolean, offline?: boolean,
 *   picture_sets?: number, name?: string, address?: string, games?: {name: string, title: string}[], levels?: [number, number | null][],
 *   options?: import("./newgame.js").Options}} Game
 * @typedef {{is: "state", title: string, node: number, ply: number, board: Board | null, scene: Scene, gestures: GestureNode | null,
 *   seats: import("./seats.js").Seat[], engines: string[],
 *   result: Coded | null, is_owner: boolean, watch_key: string | null, may_redo: boolean,
 *   may_step_back?: boolean, may_draw?: boolean, clocks?: import("./clocks.js").Clocks | null,
 *   offer?: {kind: string, by: string[], mine: boolean, asks_me: boolean} | null}} State
 * @typedef {{code: string, values: Record<string, string | number>, text: string}} Coded A text of the server.
 */
export {};
