/**
 * The menus of the page, which are popovers on phones; elsewhere their buttons are always there.
 */
import { byId } from "../page/dom.js";

const WIDTH = "14rem"; // as in playground.css

/** Open each menu below its button, and close it after a choice. */
export function setUpMenus() {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[popovertarget]"))) {
    const menu = byId(button.getAttribute("popovertarget") ?? "");
    menu.addEventListener("beforetoggle", () => {
      const { left, bottom } = button.getBoundingClientRect();
      menu.style.top = `${bottom + 4}px`;
      menu.style.left = `min(${left}px, 100% - ${WIDTH})`;
    });
    menu.addEventListener("click", () => menu.hidePopover());
  }
}
