/// Measurable checks of how readable a page is.
package enum PageAudit {
    /// A JavaScript expression for the problems of the current page, as strings.
    ///
    /// It checks contrast (WCAG 2.2, 1.4.3: 4.5, for large text 3), elements that overflow, and on
    /// phones the size of touch targets.
    package static let script = """
        (() => {
            const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
            const light = ([red, green, blue]) => {
                const [r, g, b] = [red, green, blue].map((part) => {
                    const value = part / 255;
                    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
                });
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const contrast = (one, other) => {
                const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
                return (high + 0.05) / (low + 0.05);
            };
            const backgrounds = (element) => {
                for (let each = element; each; each = each.parentElement) {
                    const { backgroundColor, backgroundImage } = getComputedStyle(each);
                    const stops = backgroundImage.match(/rgba?\\([^)]*\\)/g);
                    if (stops) return stops.map(numbers);
                    const color = numbers(backgroundColor);
                    if (color.length === 3 || color[3] > 0.99) return [color];
                }
                return [[255, 255, 255]];
            };
            const opacity = (element) => {
                let value = 1;
                for (let each = element; each; each = each.parentElement) {
                    value *= Number(getComputedStyle(each).opacity);
                }
                return value;
            };
            const isSeen = (element) =>
                element.checkVisibility({ visibilityProperty: true }) && !element.closest(".unseen");
            const faults = [];
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                const element = texts.currentNode.parentElement;
                const text = texts.currentNode.data.trim();
                if (text === "" || !isSeen(element) || element.closest("script, style")) continue;
                const style = getComputedStyle(element);
                const size = parseFloat(style.fontSize);
                const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
                const share = opacity(element);
                for (const background of backgrounds(element)) {
                    const color = numbers(style.color).slice(0, 3).map(
                        (part, index) => part * share + background[index] * (1 - share));
                    const value = contrast(color, background);
                    if (value < (isLarge ? 3 : 4.5)) {
                        faults.push(`contrast ${value.toFixed(2)}: ${text.slice(0, 60)}`);
                    }
                }
            }
            const scrolled = [document.documentElement, ...document.querySelectorAll(".pane, .bar")];
            for (const element of scrolled) {
                if (element.scrollWidth > element.clientWidth) {
                    faults.push(`${element.id || element.className} is too wide`);
                }
            }
            const isPhone = innerWidth < 760;
            for (const element of document.querySelectorAll("a, button, input, select")) {
                if (!isSeen(element) || element.matches(".skip, [type=checkbox]")) continue;
                const { left, right, height } = element.getBoundingClientRect();
                const name = element.id || element.textContent.slice(0, 40);
                if (left < 0 || right > innerWidth + 0.5) faults.push(`${name} is cut off`);
                const isInText = element.matches("p a, dd a, .device a");
                if (isPhone && !isInText && height < 44) faults.push(`${name} is ${height} px high`);
            }
            return faults;
        })()
        """
}
