/**
 * Plays moves in the core of exported games, and returns the description of each position.
 */
import { Describer } from "../../forthvm/web/offline/describer.js";
import { Position } from "../../forthvm/web/offline/position.js";

/**
 * @param core A core that has loaded a game.
 * @param tables The tables of the game.
 * @param indices The moves.  -1: a pass of a player without moves; null: drawn by the game.
 * @param takeBack Whether to take all moves back at the end.
 */
export function played(core, tables, indices, takeBack) {
  const position = new Position(core, tables), describer = new Describer(position, tables);
  const history = [], descriptions = [];
  const describe = () => {
    const board = core.read(core.variable("$board"), core.variable("$boardSize") / 4);
    descriptions.push({ ...describer.describe(history, null), board, code: core.code, partial: core.isPartial });
  };
  core.start(null);
  describe();
  for (const index of indices) {
    const player = position.player.name;
    const chosen = index ?? core.draw();
    const text = core.moveTexts[chosen] ?? "Pass";
    if (chosen < 0) core.pass();
    else core.make(chosen);
    history.push({ player, text });
    describe();
  }
  while (takeBack && history.length) {
    core.takeBack();
    history.pop();
    describe();
  }
  return descriptions;
}
