extension Browser {
    /// The window and the preferences that each test begins with; a test that changes them puts them back.
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

    /// What the reader's system prefers.
    package func prefer(scheme: String, motion: String = "no-preference") async throws {
        _ = try await chromium(
            "Emulation.setEmulatedMedia",
            """
            {"features":[{"name":"prefers-color-scheme","value":"\(scheme)"},
            {"name":"prefers-reduced-motion","value":"\(motion)"}]}
            """, as: Ignored.self)
    }

    /// Runs JavaScript before that of each page to come.
    ///
    /// - Returns: what ``stopRunning(_:)`` takes.
    package func run(beforePages script: String) async throws -> String {
        struct Added: Decodable {
            let identifier: String
        }
        let added: Added = try await chromium(
            "Page.addScriptToEvaluateOnNewDocument", #"{"source":\#(Self.json(script))}"#)
        return added.identifier
    }

    /// Runs such a script no longer.
    package func stopRunning(_ identifier: String) async throws {
        _ = try await chromium(
            "Page.removeScriptToEvaluateOnNewDocument",
            #"{"identifier":\#(Self.json(identifier))}"#, as: Ignored.self)
    }

    /// Lets each page to come note in `mistakes` what its policy stopped, and what it did not catch.
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

    /// What can be reached or worked, by role and name.
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
