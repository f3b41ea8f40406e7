/**
 * A question that people answer with yes or no, in a dialog of the page.
 */
import { byId } from "./dom.js";
import { text } from "./texts.js";

/** Ask a question; closing the dialog means no. @param {string} question @param {string} yes The text of the button. @returns {Promise<boolean>} */
export function ask(question, yes) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("ask"));
  byId("ask-question").textContent = question;
  byId("ask-yes").textContent = yes;
  byId("ask-no").textContent = text("new.cancel");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
