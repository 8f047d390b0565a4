import Foundation

extension Browser {
    package func open(_ url: String) async throws {
        try await command("url", #"{"url":\#(Self.json(url))}"#)
    }

    package func reload() async throws {
        try await command("refresh", "{}")
    }

    /// Goes back, like the browser's button.
    package func back() async throws {
        try await command("back", "{}")
    }

    /// The value of a JavaScript expression.
    package func value<Value: Decodable>(
        _ expression: String, as type: Value.Type = Value.self
    ) async throws -> Value {
        let script = Self.json("return (\(expression));")
        return try await answer("execute/sync", #"{"script":\#(script),"args":[]}"#)
    }

    package func perform(_ statement: String) async throws {
        try await command("execute/sync", #"{"script":\#(Self.json(statement)),"args":[]}"#)
    }

    /// The result of JavaScript code that may await: the body of an async function.
    package func result<Value: Decodable>(
        of body: String, as type: Value.Type = Value.self
    ) async throws -> Value {
        let script = Self.json("const done = arguments[0]; (async () => { \(body) })().then(done);")
        return try await answer("execute/async", #"{"script":\#(script),"args":[]}"#)
    }

    /// Waits until a JavaScript expression is true; the browser checks the expression after each
    /// change.
    ///
    /// - Throws: ``BrowserError/neverHeld(_:page:)`` after a generous time.
    package func wait(_ condition: String) async throws {
        let script = Self.json(
            """
            const done = arguments[0];
            const holds = () => { try { return Boolean(\(condition)); } catch { return false; } };
            const events = ["scroll", "focusin", "focusout", "popstate", "resize", "toggle"];
            const check = () => {
                if (!holds()) return;
                observer.disconnect();
                for (const name of events) removeEventListener(name, check, true);
                done(null);
            };
            const observer = new MutationObserver(check);
            observer.observe(document, {
                attributes: true, characterData: true, childList: true, subtree: true,
            });
            for (const name of events) addEventListener(name, check, true);
            check();
            """)
        do {
            try await command("execute/async", #"{"script":\#(script),"args":[]}"#)
        } catch BrowserError.refused("script timeout", _) {
            let page: String = try await value("location.href + '\\n' + document.body.innerText")
            throw BrowserError.neverHeld(condition, page: page)
        }
    }

    /// Clicks on the first element that matches a selector.
    package func click(_ selector: String) async throws {
        let found: [String: String] = try await answer(
            "element", #"{"using":"css selector","value":\#(Self.json(selector))}"#)
        // The only member's name is a constant of the protocol.
        guard let element = found.values.first else {
            throw BrowserError.refused("no such element", selector)
        }
        try await command("element/\(element)/click", "{}")
    }

    /// Presses keys one after another: characters, and keys in ``Key``.
    package func press(_ keys: String) async throws {
        let actions = keys.unicodeScalars.flatMap { key in
            ["keyDown", "keyUp"].map { type in
                #"{"type":"\#(type)","value":\#(Self.json(String(key)))}"#
            }
        }
        try await command(
            "actions",
            #"{"actions":[{"type":"key","id":"k","actions":[\#(actions.joined(separator: ","))]}]}"#
        )
    }

    /// WebDriver's names for keys that are not characters.
    package enum Key {
        package static let tab = "\u{E004}"
        package static let enter = "\u{E007}"
        package static let escape = "\u{E00C}"
        package static let space = "\u{E00D}"
        package static let down = "\u{E015}"
        package static let up = "\u{E013}"
    }

    /// Text as JSON, which is also JavaScript.
    package static func json(_ text: String) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        } catch {
            preconditionFailure("Texts always encode: \(error)")
        }
    }
}
