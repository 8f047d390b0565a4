// A long list with only a few pages in the document.

const pageSize = 40;
const mostShown = 80;
// Distances in pixels that count as close to an end and as still at the start.
const nearEdge = 600;
const atStart = 4;

/**
 * Shows part of a long list; pages are added as the reader scrolls towards one end, and removed at the
 * other.
 *
 * `keyOf` identifies a value, `draw` makes its `<li>`, and `update` refreshes a drawn one. `older(value)`
 * and `newer(value)` return `{values, more}` with the page next to a value. `mayCut(a, b)` says whether the
 * shown part may end between two neighbours. `failed(error)` is called if a page cannot be loaded.
 */
class WindowedList {
    items = [];
    hasOlder = false;
    hasNewer = false;
    #generation = 0;
    #isLoading = false;

    constructor(scroller, list, source) {
        this.scroller = scroller;
        this.list = list;
        this.source = source;
        scroller.addEventListener("scroll", () => this.fillUp(), { passive: true });
    }

    /** Starts over with the first page. */
    reset(values, hasOlder) {
        this.#generation += 1;
        this.hasNewer = false;
        this.hasOlder = hasOlder;
        this.#show(this.#itemsFor(values));
        this.scroller.scrollTop = 0;
        this.fillUp();
    }

    /** Replaces the first page, and keeps the shown values for which `isAfter` is true. */
    renew(values, hasOlder, isAfter) {
        const rest = hasOlder ? this.items.filter((item) => isAfter(item.value)) : [];
        if (rest.length === 0) this.hasOlder = hasOlder;
        const items = this.#itemsFor(values, rest);
        this.#keepingPlace(() => this.#show(this.#cutEnd(items)));
        this.fillUp();
    }

    /** Removes values. */
    remove(keys) {
        this.#keepingPlace(() => this.#show(this.items.filter(({ key }) => !keys.has(key))));
        this.fillUp();
    }

    /** Whether the reader is at the start of the first page. */
    get isAtStart() {
        return !this.hasNewer && this.scroller.scrollTop <= atStart;
    }

    /** Updates values that are already shown. */
    update(values) {
        const shown = new Map(this.items.map((item) => [item.key, item]));
        for (const value of values) {
            const item = shown.get(this.source.keyOf(value));
            if (item) this.#refresh(item, value);
        }
    }

    /** Loads the next page if the reader is close to an end. */
    async fillUp() {
        const { scrollTop, scrollHeight, clientHeight } = this.scroller;
        if (this.#isLoading || clientHeight === 0 || this.items.length === 0) return;
        const isLow = scrollHeight - scrollTop - clientHeight < nearEdge;
        const isHigh = scrollTop < nearEdge;
        if (isLow && this.hasOlder) {
            await this.#load("older", this.items.at(-1).value);
        } else if (isHigh && this.hasNewer) {
            await this.#load("newer", this.items[0].value);
        }
    }

    async #load(direction, edge) {
        const generation = this.#generation;
        this.#isLoading = true;
        try {
            const { values, more } = await this.source[direction](edge);
            if (generation !== this.#generation) return;
            this.#keepingPlace(() => this.#join(direction, values, more));
        } catch (error) {
            this.source.failed(error);
            return;
        } finally {
            this.#isLoading = false;
        }
        requestAnimationFrame(() => this.fillUp());
    }

    #join(direction, values, more) {
        const known = new Set(this.items.map((item) => item.key));
        const unknown = values.filter((value) => !known.has(this.source.keyOf(value)));
        const added = this.#itemsFor(unknown);
        if (direction === "older") {
            this.hasOlder = more;
            this.#show(this.#cutStart([...this.items, ...added]));
        } else {
            this.hasNewer = more;
            this.#show(this.#cutEnd([...added, ...this.items]));
        }
    }

    #cutStart(items) {
        let start = Math.max(0, items.length - mostShown);
        while (start > 0 && !this.#mayCut(items, start)) start -= 1;
        if (start > 0) this.hasNewer = true;
        return items.slice(start);
    }

    #cutEnd(items) {
        let end = Math.min(items.length, mostShown);
        while (end < items.length && !this.#mayCut(items, end)) end += 1;
        if (end < items.length) this.hasOlder = true;
        return items.slice(0, end);
    }

    #mayCut(items, at) {
        return this.source.mayCut(items[at - 1].value, items[at].value);
    }

    /** Items for values; values that are already shown keep their nodes. */
    #itemsFor(values, rest = []) {
        const shown = new Map(this.items.map((item) => [item.key, item]));
        const items = new Map();
        for (const value of values) {
            const key = this.source.keyOf(value);
            const item = shown.get(key) ?? { key, value, node: this.source.draw(value) };
            this.#refresh(item, value);
            items.set(key, item);
        }
        for (const item of rest) {
            if (!items.has(item.key)) items.set(item.key, item);
        }
        return [...items.values()];
    }

    #refresh(item, value) {
        item.value = value;
        this.source.update?.(item.node, value);
    }

    /** Puts the items' nodes into the list without touching nodes that stay in place. */
    #show(items) {
        const staying = new Set(items.map((item) => item.node));
        for (const node of [...this.list.children]) {
            if (!staying.has(node)) node.remove();
        }
        let next = this.list.firstElementChild;
        for (const { node } of items) {
            if (node === next) {
                next = next.nextElementSibling;
            } else {
                this.list.insertBefore(node, next);
            }
        }
        this.items = items;
        this.source.shown?.();
    }

    /** Changes the list without moving what the reader sees. */
    #keepingPlace(work) {
        const top = this.scroller.getBoundingClientRect().top;
        const isLive = this.scroller.scrollTop <= atStart && !this.hasNewer;
        const seen = this.items.filter(({ node }) => node.getBoundingClientRect().bottom > top);
        const before = seen.map(({ node }) => node.getBoundingClientRect().top);
        work();
        if (isLive) return;
        const index = seen.findIndex(({ node }) => node.isConnected);
        if (index < 0) return;
        this.scroller.scrollTop += seen[index].node.getBoundingClientRect().top - before[index];
    }
}
