extension Browser {
    /// The window and preferences at the start of each test; a test must restore its changes.
    package func standOnADesk() async throws {
        try await resize(width: 1_280, height: 800)
        try await prefer(scheme: "light")
    }

    package func resize(width: Int, height: Int) async throws {
        _ = try await chromium(
            "Emulation.setDeviceMetricsOverride",
            #"{"width":\#(width),"height":\#(height),"deviceScaleFactor":1,"mobile":false}"#,
            as: Ignored.self)
    }

    /// Preferences of the reader's system.
    package func prefer(scheme: String, motion: String = "no-preference") async throws {
        _ = try await chromium(
            "Emulation.setEmulatedMedia",
            """
            {"features":[{"name":"prefers-color-scheme","value":"\(scheme)"},
            {"name":"prefers-reduced-motion","value":"\(motion)"}]}
            """, as: Ignored.self)
    }

    /// Runs JavaScript before each new page's own.
    ///
    /// - Returns: the argument for ``stopRunning(_:)``.
    package func run(beforePages script: String) async throws -> String {
        struct Added: Decodable {
            let identifier: String
        }
        let added: Added = try await chromium(
            "Page.addScriptToEvaluateOnNewDocument", #"{"source":\#(Self.json(script))}"#)
        return added.identifier
    }

    /// Stops running a script.
    package func stopRunning(_ identifier: String) async throws {
        _ = try await chromium(
            "Page.removeScriptToEvaluateOnNewDocument",
            #"{"identifier":\#(Self.json(identifier))}"#, as: Ignored.self)
    }

    /// Makes each new page record in `mistakes` what its policy blocked and any uncaught errors.
    package func reportMistakes() async throws {
        _ = try await run(
            beforePages: """
                window.mistakes = [];
                addEventListener("securitypolicyviolation", (event) => {
                    mistakes.push(`${event.violatedDirective}: ${event.blockedURI}`);
                });
                addEventListener("error", (event) => mistakes.push(String(event.message)), true);
                addEventListener("unhandledrejection", (event) => {
                    mistakes.push(String(event.reason));
                });
                """)
    }

    /// Elements that people can reach or use, by role and name.
    package func controls() async throws -> [(role: String, name: String)] {
        struct Text: Decodable {
            let value: String?
        }
        struct Node: Decodable {
            let ignored: Bool
            let role: Text?
            let name: Text?
        }
        struct Tree: Decodable {
            let nodes: [Node]
        }
        let roles: Set<String> = [
            "button", "checkbox", "combobox", "link", "searchbox", "switch", "textbox", "region",
            "dialog", "navigation", "search",
        ]
        let tree: Tree = try await chromium("Accessibility.getFullAXTree")
        return tree.nodes.compactMap { node in
            guard !node.ignored, let role = node.role?.value, roles.contains(role) else {
                return nil
            }
            return (role, node.name?.value ?? "")
        }
    }
}
