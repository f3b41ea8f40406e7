"""The frame of a report page: the style sheet, and the script of the game viewer.

Owns the style sheet and the script as texts.  It must not know matches.  The script reads the data
that game_replay.py describes, and inserts texts of games and engines as text nodes, never as
markup.
"""

from __future__ import annotations

import json
from html import escape

from forthvm.core.text.visible import visible, visible_lines

__all__ = ["SCRIPT", "embedded", "page"]

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #2b2b2b; background: #fff;
  max-width: 980px; margin: 1.5em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin: 0; } h2 { font-size: 1.15em; margin: 2em 0 .5em; }
.about { color: #666; margin: .2em 0 1em; } .note { color: #666; font-size: .9em; }
pre { overflow-x: auto; font-size: .85em; background: #f6f6f6; padding: .5em .8em; }
.warning { border-left: 4px solid #c0392b; padding: .3em .8em; background: #fbeeec; }
table { border-collapse: collapse; margin: .5em 0; }
th, td { padding: .25em .7em; border-bottom: 1px solid #ddd; text-align: right;
  white-space: nowrap; }
th { font-weight: 600; } th:first-child, td:first-child, .left { text-align: left; }
td:first-child { max-width: 20em; overflow: hidden; text-overflow: ellipsis; }
svg { max-width: 100%; height: auto; } .scroll { overflow-x: auto; }
dl { display: grid; grid-template-columns: max-content auto; gap: .2em 1.2em; }
dt { color: #666; } dd { margin: 0; overflow-wrap: anywhere; }
.maps { display: flex; flex-wrap: wrap; gap: 1em; }
figure { margin: 0; } .maps figure { flex: 1 1 280px; max-width: 620px; }
figcaption { color: #666; }
.bar { display: flex; flex-wrap: wrap; gap: .4em; align-items: center; margin: .5em 0; }
.bar select { max-width: 100%; flex: 1 1 20em; } .bar input[type=range] { flex: 1 1 10em; }
button, select { font: inherit; padding: .2em .7em; }
.stage { display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-start; }
.board { flex: 1 1 420px; max-width: 620px; }
.moves { flex: 1 1 220px; max-height: 560px; overflow-y: auto; margin: 0;
  padding: 0 0 0 3em; border: 1px solid #ddd; }
.moves li { padding: .1em .4em; cursor: pointer; overflow-wrap: anywhere; }
.moves li.now { background: #ffd75e; } .moves li.opening { color: #888; }
@media (max-width: 600px) { th, td { padding: .25em .35em; } }
"""

SCRIPT = """
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("games").textContent);
  const find = id => document.getElementById(id);
  const NS = "http://www.w3.org/2000/svg";
  const draw = (name, attributes, parent) => {
    const element = document.createElementNS(NS, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    parent.append(element);
    return element;
  };
  const choice = find("game"), slider = find("ply"), list = find("moves");
  const pieces = find("pieces"), marks = find("marks"), cell = +find("board").dataset.cell;
  let game = data.games[0], ply = 0, timer = 0;

  const board = upTo => {
    const occupied = new Map();
    let changed = [];
    const put = (flat, from) => {
      changed = [];
      for (let at = from; at < flat.length; at += 2) {
        changed.push(flat[at]);
        if (flat[at + 1] < 0) occupied.delete(flat[at]); else occupied.set(flat[at], flat[at + 1]);
      }
    };
    put(data.boards[game.board], 0);
    for (let at = 0; at < upTo; at++) put(game.plies[at], 3);
    return [occupied, upTo ? changed : []];
  };
  const showPiece = (position, shape) => {
    const [x, y] = data.corners[position], [label, size, fill, ink, title] = data.shapes[shape];
    const group = draw("g", {}, pieces), half = cell / 2;
    const disc = {cx: x + half, cy: y + half, r: cell * 0.43, fill, stroke: "#2b2b2b"};
    draw("title", {}, draw("circle", disc, group)).textContent = title;
    draw("text", {x: x + half, y: y + half + Math.floor(size / 3), "font-size": size, fill: ink,
      "text-anchor": "middle", "pointer-events": "none"}, group).textContent = label;
  };
  const show = () => {
    const [occupied, changed] = board(ply), offBoard = [];
    pieces.replaceChildren();
    marks.replaceChildren();
    for (const position of changed) if (data.corners[position]) {
      const [x, y] = data.corners[position];
      draw("rect", {x, y, width: cell, height: cell, fill: "#ffd75e", "fill-opacity": 0.7}, marks);
    }
    for (const [position, shape] of occupied) {
      if (data.corners[position]) showPiece(position, shape);
      else offBoard.push(data.places[position] + ": " + data.shapes[shape][4]);
    }
    const step = ply ? game.plies[ply - 1] : null;
    const last = ply === game.plies.length;
    const headline =
      step ? ply + ". " + data.players[step[0]] + ": " + data.texts[step[1]] : "begins";
    find("now").textContent = headline + (last ? " \\u2014 " + (game.broken || game.end) : "");
    const note = data.notes[step ? step[2] : game.note];
    find("beside").textContent = [offBoard.sort().join(", "), note].filter(Boolean).join(" | ");
    slider.value = ply;
    for (const old of list.querySelectorAll(".now")) old.classList.remove("now");
    if (ply) {
      const item = list.children[ply - 1];
      item.classList.add("now");
      list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    history.replaceState(null, "", "#game=" + game.id + "&ply=" + ply);
  };
  const go = to => { ply = Math.max(0, Math.min(game.plies.length, to)); show(); };
  const stop = () => { clearInterval(timer); timer = 0; find("play").textContent = "play"; };
  const open = (id, at) => {
    stop();
    game = data.games.find(each => each.id === id) || data.games[0];
    choice.value = game.id;
    slider.max = game.plies.length;
    list.replaceChildren(...game.plies.map((step, at) => {
      const item = document.createElement("li");
      item.textContent = data.players[step[0]] + ": " + data.texts[step[1]];
      if (at < game.opening) item.className = "opening";
      item.addEventListener("click", () => { stop(); go(at + 1); });
      return item;
    }));
    find("faults").textContent = game.faults.join(" | ");
    go(at);
  };
  const goBy = by => () => { stop(); go(ply + by); };
  for (const each of data.games) {
    const item = document.createElement("option"), seats = each.seats.map(([player, name], at) =>
      name + " (" + player + (each.scores[at] === null ? "" : ", " + +each.scores[at].toFixed(2)) +
      ")");
    item.value = each.id;
    item.textContent = each.id + ": " + seats.join(" : ") + ", " + each.plies.length + " plies";
    choice.append(item);
  }
  choice.addEventListener("change", () => open(+choice.value, 0));
  slider.addEventListener("input", () => { stop(); go(+slider.value); });
  find("first").addEventListener("click", goBy(-1e9));
  find("back").addEventListener("click", goBy(-1));
  find("next").addEventListener("click", goBy(1));
  find("last").addEventListener("click", goBy(1e9));
  find("play").addEventListener("click", () => {
    if (timer) return stop();
    if (ply === game.plies.length) go(0);
    find("play").textContent = "stop";
    timer = setInterval(() => ply < game.plies.length ? go(ply + 1) : stop(), 600);
  });
  document.addEventListener("keydown", event => {
    if (event.target.matches("input, select") || event.ctrlKey || event.altKey || event.metaKey)
      return;
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (by && find("viewer").getBoundingClientRect().top < innerHeight) {
      event.preventDefault();
      goBy(by)();
    }
  });
  const addressed = () => {
    const address = new URLSearchParams(location.hash.slice(1));
    return [+address.get("game") || data.games[0].id, +address.get("ply") || 0];
  };
  addEventListener("hashchange", () => open(...addressed()));
  open(...addressed());
})();
"""

# The browser must not fetch anything, even if a text of a game got into the page as markup.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def embedded(data: object) -> str:
    """Return data as JSON for a script element, escaped so that no text ends the element."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\x7f", "\\u007f")


def page(title: str, body: str) -> str:
    """Return a complete HTML document."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{escape(visible(title))}</title>
<style>{STYLE}</style>
</head>
<body>
{visible_lines(body)}
</body>
</html>
"""
