/**
 * A question that people answer with yes or no, in a dialog of the page.
 */
import { make } from "./dom.js";
import { text } from "./texts.js";

/** Ask a question; closing the dialog means no. @param {string} question @param {string} yes The text of the button. @returns {Promise<boolean>} */
export function ask(question, yes) {
  const dialog = make("dialog", { id: "ask", "aria-labelledby": "ask-question" },
    make("form", { method: "dialog" },
      make("p", { id: "ask-question" }, question),
      make("div", { className: "buttons" },
        make("button", { id: "ask-yes", value: "yes", className: "primary" }, yes),
        make("button", { id: "ask-no", value: "" }, text("new.cancel")))));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    };
  });
}
