// @ts-check
/**
 * A puzzle on the board: the reader plays the moves of its solution, the page answers with those of the other side. The service
 * decides whether another move solves it too.
 */

import { call, pause } from "../api.js";
import { Extras } from "../boards/extras.js";
import { h } from "../dom.js";
import { sideName } from "../games.js";
import { isSolved, storeStreak, markSolved, movesToWin, numberOf, streak, task, words } from "../puzzle-book.js";
import { number, w } from "../words.js";
import { Question } from "./question.js";

/** @typedef {import("../types.js").Puzzle} Task */

/** Milliseconds before the other side answers. */
const REPLY = 600;

export class Puzzle extends Question {
  /** How many moves of the solution have been played. */
  #played = 0;
  /** Wrong moves tried in the position shown. @type {string[]} */
  #wrong = [];
  /** The move being checked by the service. @type {string | null} */
  #checking = null;
  /** What was played last, in words. @type {string[]} */
  #feedback = [];
  /** Whether the end of the solution was reached. */
  #ended = false;
  #busy = false;
  #flawless = true;
  #solvedBefore;

  /**
   * @param {import("./question.js").Table} view
   * @param {Task} puzzle
   * @param {(action: () => Promise<unknown>, retry: () => void) => Promise<boolean>} attempt runs an action, and shows why it
   *   was refused
   * @param {(over: boolean) => import("../dom.js").Child[]} links where the reader can go from here
   */
  constructor(view, puzzle, attempt, links) {
    super(view, words().heading, h("h2", { tabindex: -1 }));
    this.puzzle = puzzle;
    this.attempt = attempt;
    this.links = links;
    this.extras = new Extras(view);
    this.verdicts.after(this.extras.element);
    this.#solvedBefore = isSolved(puzzle);
  }

  /** @override */
  get solved() {
    return this.#ended;
  }

  /** Whether it is over, solved or not. */
  get over() {
    return this.#ended || this.revealed;
  }

  get #game() {
    return this.view.record.game;
  }

  /** Whether the other side is to move, and the puzzle still shown. */
  get #replies() {
    return !this.over && this.element.isConnected && this.view.record.position.to_move !== this.puzzle.side;
  }

  /** Takes a move made on the board. @param {string} move */
  async try(move) {
    if (this.#busy || this.over || this.#wrong.includes(move)) return;
    await this.#runExclusive(() => this.#answer(move));
  }

  /**
   * Runs one action at a time; the board is blocked meanwhile.
   * @param {() => Promise<unknown>} action
   * @returns {Promise<void>}
   */
  async #runExclusive(action) {
    this.#busy = true;
    this.#allow(false);
    const done = await this.attempt(action, () => void this.#runExclusive(action));
    this.#checking = null;
    this.draw();
    if (done && this.#replies) return this.#runExclusive(() => this.#reply());
    this.#busy = false;
    this.#allow(!this.over);
  }

  /** Sets whether the reader may move. @param {boolean} playable */
  #allow(playable) {
    this.view.board.setPlayable(playable);
    this.extras.draw();
  }

  /** @param {string} move */
  async #answer(move) {
    const { record } = this.view;
    const label = this.label(move);
    const expected = move === this.puzzle.solution[this.#played];
    if (!expected) {
      this.#checking = move;
      this.draw();
      if (!(await this.#reachesGoal(move))) return this.#refuse(move);
      if (this.over) return;
    }
    await record.play([move], record.at);
    this.#wrong = [];
    this.hinted = false;
    this.#feedback = [words().right(label)];
    this.#played += 1;
    if (!expected || this.#played >= this.puzzle.solution.length || record.over) this.#finish();
  }

  /** Plays the other side's next move. */
  async #reply() {
    const { record } = this.view;
    await pause(REPLY);
    if (!this.#replies) return;
    const move = this.puzzle.solution[this.#played];
    const mover = sideName(this.#game, record.position.to_move);
    const reply = w().play.played(mover, this.label(move));
    await record.play([move], record.at);
    this.#played += 1;
    this.#feedback.push(reply);
  }

  /** Whether a move other than the solution's reaches the goal at once, by ending the game. @param {string} move */
  async #reachesGoal(move) {
    const { record } = this.view;
    const { side, kind, score = 0 } = this.puzzle;
    const request = record.request();
    /** @type {import("../types.js").Position} */
    const { outcome } = await call("/v1/positions", { body: { ...request, moves: [...request.moves, move] } });
    if (!outcome) return false;
    if (kind === "points") return (side === "first" ? 1 : -1) * (outcome.margin ?? 0) >= score;
    return outcome.winner === side || (kind === "draw" && outcome.winner === null);
  }

  /** @param {string} move */
  #refuse(move) {
    this.#wrong.push(move);
    this.#markFlawed();
  }

  /** Records a wrong try or help: the puzzle no longer counts as solved on the first try. */
  #markFlawed() {
    if (this.#flawless && !this.#solvedBefore) storeStreak(0);
    this.#flawless = false;
  }

  #finish() {
    this.#ended = true;
    // A puzzle solved earlier does not count again.
    if (this.#flawless && !this.#solvedBefore) storeStreak(streak() + 1);
    markSolved(this.puzzle);
  }

  /** @override */
  hint() {
    this.#markFlawed();
    super.hint();
  }

  /** @override */
  reveal() {
    this.#markFlawed();
    this.#allow(false);
    super.reveal();
  }

  /** @override */
  draw() {
    const { puzzle } = this;
    this.show({
      title: [words().one(numberOf(puzzle)), h("span", { class: "count" }, words().levels[puzzle.difficulty - 1], this.#solvedBefore && ` · ${words().isSolved}`)],
      task: [task(this.#game, puzzle)],
      verdicts: this.#verdicts(),
      tries: [...this.#wrong, this.#checking].flatMap((move) => (move === null ? [] : [this.#mark(move)])),
      best: puzzle.solution[this.#played],
      line: puzzle.solution.slice(this.#played),
      buttons: [this.hintButton(), !this.solved && this.solutionButton(), ...this.links(this.over)],
    });
    this.extras.draw();
  }

  /** @param {string} move @returns {import("../boards/marks.js").Candidate} */
  #mark(move) {
    const checking = move === this.#checking;
    return { move, grade: checking ? "open" : "bad", share: null, text: checking ? "…" : "✗", chosen: false };
  }

  #verdicts() {
    const wrong = this.#wrong.at(-1);
    if (this.#checking !== null) return [h("p", { class: "verdict open" }, w().exercise.checking(this.label(this.#checking)))];
    if (this.#ended) {
      const many = this.#flawless && !this.#solvedBefore && streak() > 1;
      return [h("p", { class: "verdict best" }, [...this.#feedback, words().solved, many && words().streak(number(streak()))].filter(Boolean).join(words().between))];
    }
    if (wrong !== undefined) return [h("p", { class: "verdict mistake" }, this.#why(this.label(wrong)))];
    return [this.#feedback.length > 0 && h("p", { class: "verdict best" }, this.#feedback.join(words().between))];
  }

  /** @param {string} move */
  #why(move) {
    const { kind } = this.puzzle;
    const left = movesToWin(this.puzzle, this.#played);
    return words().wrong[kind](move, left, number(left));
  }
}
