// @ts-check
/** Live analysis of the position on the board: candidates on the board and in an equivalent table, updated as they change. */

import { button, fill, h } from "../dom.js";
import { grade, showCandidates, showLine } from "../boards/marks.js";
import { moduleOf, sideName } from "../games.js";
import { duration, wordFor, number, percent, short, w } from "../words.js";
import { requestFields, effortFields, settingsFold } from "./effort.js";
import { Runner } from "./runner.js";
import { shortValue, lossText, lossVersusBest, valueText, budgetShare, hasValue } from "./values.js";

/**
 * @typedef {import("../types.js").Search} Search
 * @typedef {import("../types.js").Child} Child
 * @typedef {{ row: HTMLTableRowElement, line: HTMLButtonElement }} Row
 */

/** How many plies of a line are shown on the board. */
const PLIES = 8;
/** How many candidates are listed by default. */
const SHOWN_MOVES = 8;

export class Analysis {
  /** @type {Search | null} */
  #result = null;
  /** Whether all candidates are listed. */
  #all = false;
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /** The move whose whole line is listed. @type {string | null} */
  #openMove = null;
  #openRow = h("tr", { class: "opened" }, h("td", { colspan: 5 }));
  /** A key of what is listed there. */
  #lineKey = "";
  /** The move whose line is shown on the board. @type {string | null} */
  #shown = null;

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    const words = w().analyse;
    this.effort = this.#effort();
    this.runner = new Runner({
      path: "/v1/searches",
      live: true,
      request: () => this.#request(),
      onstart: () => this.#begin(),
      onmessage: (/** @type {Search} */ message) => this.#take(message),
      onend: () => this.#draw(),
      progress: budgetShare,
      ended: ({ stop_reason }) => (stop_reason ? wordFor(w().stop_reasons, stop_reason) : w().run.states.failed),
    });
    this.deeper = button(w().run.deeper, () => this.#deeper(), { class: "deeper" });
    fill(this.runner.extra, this.deeper, settingsFold(this.effort.element));
    this.facts = h("dl", { class: "facts" });
    this.excluded = h("p", { class: "excluded" });
    this.body = h("tbody");
    this.valueHead = h("th", { scope: "col" });
    this.effortHead = h("th", { scope: "col" });
    const head = (/** @type {string} */ text) => h("th", { scope: "col" }, text);
    this.table = h("table", { class: "children" },
      h("thead", {}, h("tr", {}, head(words.move), this.valueHead, this.effortHead, head(words.loss), head(words.line))),
      this.body);
    this.more = button("", () => this.#toggleAll(), { class: "more-moves", name: "all-moves" });
    this.empty = h("p", { class: "empty" }, words.none);
    this.element = h("div", { class: "analysis" },
      this.runner.element, this.excluded, this.empty, this.table, this.more, this.facts, legend());
    this.#draw();
  }

  /** The fields of the settings; a change restarts the analysis. */
  #effort() {
    const { record, policy, settings } = this.app;
    return effortFields(record.game, policy, settings.analysis, () => {
      this.app.settingsChanged();
      if (!this.runner.paused) void this.runner.start();
    });
  }

  /** @returns {any} */
  #request() {
    const { record, settings } = this.app;
    if (record.finished) return null;
    const avoid = settings.analysis.avoid.filter((move) => record.position.legal_moves.includes(move));
    return {
      ...record.request(),
      ...requestFields(record.game, settings.analysis),
      ...(avoid.length > 0 ? { moves_filter: { avoid } } : {}),
    };
  }

  #begin() {
    this.#result = null;
    this.#shown = null;
    this.#openMove = null;
    this.#rows.clear();
    this.#draw();
  }

  /** @param {Search} message */
  #take(message) {
    if (message.children.length === 0 && !message.final) return;
    this.#result = message;
    this.#draw();
    this.#showResult(message);
  }

  /** Shows a result on the board and on the evaluation bar. @param {Search} found */
  #showResult({ root, position }) {
    this.app.showEvaluation(root, position.to_move);
    if (this.#shown === null) this.marks();
  }

  /** Searches four times as much, or two plies deeper, within the server's limits. */
  #deeper() {
    const { settings, policy, record } = this.app;
    const { analysis } = settings;
    const [limit] = /** @type {import("../link.js").Limit[]} */ (Object.keys(requestFields(record.game, analysis).budget));
    const factor = limit === "depth" ? analysis.amount + 2 : analysis.amount * 4;
    analysis.limit = limit;
    analysis.amount = Math.min(factor, policy.most[limit]);
    this.app.settingsChanged();
    this.effort.draw();
    void this.runner.start();
  }

  /** @param {string} cause */
  refresh(cause) {
    if (cause === "labels") return this.#draw();
    if (cause === "load") {
      const before = this.effort.element;
      this.effort = this.#effort();
      before.replaceWith(this.effort.element);
    }
    if (cause !== "enter") this.#discardResult();
    else if (this.#result) this.#showResult(this.#result);
    const { runner } = this;
    if (this.app.settings.panel === "analyse" && !runner.paused && !runner.running && this.#result === null) void runner.start();
  }

  /** Forgets the result: another position is shown. */
  #discardResult() {
    this.app.settings.analysis.avoid = [];
    this.runner.abandon();
    this.#result = null;
    this.#rows.clear();
    this.#openMove = null;
    this.#shown = null;
    this.#draw();
  }

  leave() {
    if (this.runner.running) this.#result = null;
    this.runner.abandon();
  }

  /** Marks the candidates on the board: the moves with values. A bound would look like a value; it is only in the table. */
  marks() {
    const { app } = this;
    const children = this.#result?.children ?? [];
    const visits = children.reduce((sum, child) => sum + (child.visits ?? 0), 0);
    const most = moduleOf(app.record.game).candidates ?? 24;
    const marked = children.filter((child) => child.win !== null && (hasValue(child) || child.order === 0)).slice(0, most);
    showCandidates(app.board, app.record, marked.map((child) => ({
      move: child.move,
      grade: grade(child),
      share: child.visits === null || visits === 0 ? null : child.visits / visits,
      text: hasValue(child) ? shortValue(child, true) : "",
      chosen: child.order === 0,
    })));
  }

  /** @param {string | null} move whose line is shown; null shows the candidates */
  #show(move) {
    this.#shown = move;
    const line = this.#result?.children.find((child) => child.move === move)?.pv;
    if (line) showLine(this.app.board, this.app.record, line.slice(0, PLIES));
    else this.marks();
  }

  #draw() {
    const found = this.#result;
    const { record, settings } = this.app;
    const over = record.finished;
    this.empty.hidden = found !== null;
    this.empty.textContent = over ? w().analyse.over : this.runner.paused ? w().analyse.none : w().run.states.starting;
    this.runner.element.hidden = over;
    this.table.hidden = found === null;
    this.deeper.hidden = found === null || over;
    const avoid = settings.analysis.avoid;
    fill(this.excluded, avoid.length > 0 && `${w().analyse.excluded}: `, avoid.map((move) =>
      button(`${record.label(record.at, move, this.app.look.notation)} ×`, () => this.#include(move), { "aria-label": w().analyse.include(move) })));
    this.valueHead.textContent = w().analyse.valueFor(sideName(record.game, record.position.to_move));
    this.effortHead.textContent = found ? effortWord(found) : "";
    fill(this.facts, found ? facts(found) : []);
    const children = found?.children ?? [];
    this.more.hidden = children.length <= SHOWN_MOVES;
    this.more.setAttribute("aria-expanded", String(this.#all));
    this.more.textContent = this.#all ? w().analyse.few(number(SHOWN_MOVES)) : w().analyse.all(number(children.length));
    this.#fillRows(this.#all ? children : children.slice(0, SHOWN_MOVES));
  }

  #toggleAll() {
    this.#all = !this.#all;
    this.#draw();
  }

  /** Rows keep their elements when their order changes, so that the focus stays on its move. @param {Child[]} children */
  #fillRows(children) {
    const focused = document.activeElement;
    const visits = (this.#result?.children ?? []).reduce((sum, child) => sum + (child.visits ?? 0), 0);
    const rows = children.flatMap((child) => {
      const row = this.#row(child, visits);
      return child.move === this.#openMove ? [row, this.#lineRow(child, row)] : [row];
    });
    const same = rows.length === this.body.rows.length && rows.every((row, index) => this.body.rows[index] === row);
    if (same) return;
    fill(this.body, rows);
    if (focused instanceof HTMLElement && this.body.contains(focused)) focused.focus({ preventScroll: true });
  }

  /** @param {Child} child @param {number} visits of all children */
  #row(child, visits) {
    const { record, look } = this.app;
    const { row, line } = this.#rows.get(child.move) ?? this.#newRow(child.move, record.label(record.at, child.move, look.notation));
    const [, value, share, loss] = row.cells;
    row.dataset.grade = grade(child);
    row.classList.toggle("chosen", child.order === 0);
    row.classList.toggle("proven", child.proven !== null);
    value.textContent = valueText(child);
    share.textContent = child.visits === null ? searched(child) : `${short(child.visits)} · ${percent(visits > 0 ? child.visits / visits : 0)}`;
    loss.textContent = lossVersusBest(child, this.#result?.children[0] ?? child);
    line.textContent = this.#texts(child.pv).slice(1).join(" ") || "…";
    line.setAttribute("aria-expanded", String(child.move === this.#openMove));
    return row;
  }

  /** A line's moves in the reader's notation. @param {string[]} moves */
  #texts(moves) {
    const { record, look } = this.app;
    return record.lines.texts(record.at, moves, look.notation);
  }

  /** @param {string} move @param {string} label @returns {Row} */
  #newRow(move, label) {
    const words = w().analyse;
    const line = button("", () => this.#open(move), { class: "line-text", title: words.lineOf(label) });
    const row = h("tr", { "data-move": move },
      h("th", { scope: "row" }, button(label, () => this.app.play(move), { class: "move", "aria-label": words.play(label) })),
      h("td", { class: "value" }), h("td", { class: "number searched" }), h("td", { class: "number" }), h("td", { class: "line" }, line));
    for (const event of ["mouseenter", "focusin"]) row.addEventListener(event, () => this.#show(move));
    for (const event of ["mouseleave", "focusout"]) row.addEventListener(event, () => this.#show(null));
    this.#rows.set(move, { row, line });
    return { row, line };
  }

  /** Opens or closes a move's whole line below it. @param {string} move */
  #open(move) {
    this.#openMove = this.#openMove === move ? null : move;
    this.#lineKey = "";
    this.#draw();
  }

  /**
   * The whole line of a move: a button per ply that plays up to it, and further actions.
   * @param {Child} child
   * @param {HTMLTableRowElement} row
   */
  #lineRow({ move, pv }, row) {
    const words = w().analyse;
    const texts = this.#texts(pv);
    const listed = `${move} ${row.cells[2].textContent} ${texts.join(" ")}`;
    // A line that has the keyboard focus must not change.
    if (listed === this.#lineKey || (this.#lineKey.startsWith(`${move} `) && this.#openRow.contains(document.activeElement))) return this.#openRow;
    this.#lineKey = listed;
    const label = row.cells[0].textContent ?? move;
    fill(this.#openRow.cells[0],
      texts.slice(1).map((ply, index) =>
        button(ply, () => this.app.play(...pv.slice(0, index + 2)), { class: "ply", "aria-label": words.playLine(ply) })),
      h("small", { class: "searched" }, `${this.effortHead.textContent}: ${row.cells[2].textContent}`),
      button(words.exclude(label), () => this.#exclude(move), { class: "exclude" }));
    return this.#openRow;
  }

  /** @param {string} move */
  #exclude(move) {
    const { avoid } = this.app.settings.analysis;
    if (avoid.length + 1 >= this.app.record.position.legal_moves.length) return;
    this.app.settings.analysis.avoid = [...avoid, move];
    this.app.settingsChanged();
    void this.runner.start();
  }

  /** @param {string} move */
  #include(move) {
    const { analysis } = this.app.settings;
    analysis.avoid = analysis.avoid.filter((one) => one !== move);
    this.app.settingsChanged();
    void this.runner.start();
  }
}

/**
 * The measure of the effort per move: visits, or for an engine without visits, plies, and nodes if it counts them.
 * @param {Search} found
 */
function effortWord({ root, children }) {
  const words = w().analyse;
  if (root.visits !== null) return words.visits;
  return children.some(({ nodes }) => nodes !== null) ? words.depthAndNodes : words.depth;
}

/** How deep a move was searched, and in how many nodes. @param {Child} child */
function searched({ depth, nodes }) {
  if (depth === 0) return "";
  return nodes === null ? number(depth) : `${number(depth)} · ${short(nodes)}`;
}

/** @param {Search} found */
function facts({ root, budget, engine, threads, reuse }) {
  const words = w().analyse;
  const seconds = budget.used.time_ms / 1000;
  const reused = reuse.visits + reuse.entries;
  /** @type {[string, string | null][]} */
  const parts = [
    [w().effort.engine, wordFor(w().engines, engine.name)],
    [words.value, valueText(root)],
    [words.searchedDepth, number(root.depth)],
    [words.nodes, short(root.nodes)],
    [words.speed, seconds > 0 ? short(root.nodes / seconds) : null],
    [words.time, duration(budget.used.time_ms)],
    [words.tree, root.tree_bytes > 0 ? `${number(root.tree_bytes / 2 ** 20, { maximumFractionDigits: 1 })} MiB` : null],
    [w().effort.threads, threads.granted > 1 ? number(threads.granted) : null],
    [words.machines, (threads.nodes?.length ?? 0) > 1 ? number(threads.nodes?.length ?? 0) : null],
    [words.reused, reused > 0 ? short(reused) : null],
  ];
  return parts.flatMap(([name, value]) => (value === null ? [] : [h("div", {}, h("dt", {}, name), h("dd", {}, value))]));
}

/** What the colours mean. */
function legend() {
  const { legend: names, legendLabel } = w().analyse;
  const bounds = { best: 0.02, good: 0.1, fair: 0.25, poor: 0.5, bad: null };
  return h("p", { class: "legend" }, `${legendLabel}: `,
    Object.entries(names).map(([one, name]) => {
      const most = bounds[/** @type {keyof typeof bounds} */ (one)];
      return h("span", { "data-grade": one }, `${name}${most === null ? "" : ` ≤ ${lossText(most)}`}`);
    }));
}
