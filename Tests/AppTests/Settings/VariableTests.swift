import Files
import Foundation
import TestSupport
import Testing

@testable import App

/// Tests that an empty or misspelled hubsend variable is never treated as unset.
@Suite(.bounded) struct VariableTests {
    private func invocation(_ environment: [String: String]) -> Invocation {
        Invocation(environment: environment, currentFolder: "/")
    }

    @Test(
        "An empty or blank variable is refused",
        arguments: [
            "CONFIG", "STORE", "REPORTS", "HUB_NAME", "HUB_PROXY", "HUB_CA",
            "HUB_CONNECTION_STRING",
            "HUB_CONNECTION_STRING_FILE", "HUB_CONNECTION_STRING_COMMAND", "PAYLOAD_KEY",
            "PAYLOAD_KEY_FILE", "DEVICE_TOKEN", "LOCAL_HUB_KEYS_FILE", "OF_A_LATER_VERSION",
        ])
    func emptyOrBlankVariableIsRefused(name: String) throws {
        let variable = "HUBSEND_" + name
        for value in ["", " \t\n"] {
            let fault = #expect(throws: Refused.self) {
                try invocation([variable: value, "PATH": ""]).refuseEmptyVariables()
            }
            #expect(
                fault?.sentence
                    == "The variable \(variable) is set, but empty. Give it a value, or unset it.")
        }
        try invocation([variable: "x", "PATH": ""]).refuseEmptyVariables()
    }

    @Test("All empty variables are listed in one sentence")
    func allEmptyVariablesAreListedInOneSentence() {
        let fault = #expect(throws: Refused.self) {
            try invocation(["HUBSEND_STORE": "", "HUBSEND_HUB_NAME": ""]).refuseEmptyVariables()
        }
        #expect(
            fault?.description
                == "The variables HUBSEND_HUB_NAME, HUBSEND_STORE are set, but empty. Give them values, or unset them."
        )
    }

    @Test("Misspelled variables are listed with suggestions")
    func misspelledVariablesAreListedWithSuggestions() {
        let fault = #expect(throws: Refused.self) {
            try invocation(["HUBSEND_STOER": "x", "HUBSEND_HUB_NAMES": "x", "HUBSEND_COLOR": "x"])
                .refuseMisspelledVariables()
        }
        #expect(
            fault?.sentence == """
                There is no variable HUBSEND_HUB_NAMES; did you mean HUBSEND_HUB_NAME? \
                There is no variable HUBSEND_STOER; did you mean HUBSEND_STORE?
                """)
    }

    @Test(
        "Variables that do not resemble hubsend's are allowed",
        arguments: [
            ("HUBSEND_HUB_CONNECTION_STRING_FIEL", "HUBSEND_HUB_CONNECTION_STRING_FILE"),
            ("HUBSEND_CONNECTION_STRING", "HUBSEND_HUB_CONNECTION_STRING"),
            ("HUBSEND_HUB_NAMES", "HUBSEND_HUB_NAME"), ("HUBSEND_hub_name", "HUBSEND_HUB_NAME"),
            ("HUBSEND_DEVICE_PASSWD", "HUBSEND_DEVICE_PASSWORD"),
            ("HUBSEND_STOER", "HUBSEND_STORE"),
            ("HUBSEND_HUB_ID", nil), ("HUBSEND_HUB_TAG", nil), ("HUBSEND_STATE", nil),
            ("HUBSEND_DEVICE_ROLE", nil), ("HUBSEND_", nil), ("HUBSEND_HUB_", nil),
            ("HUBSEND_HUB_NAME", nil), ("HUBSENT_STORE", nil), ("STORE", nil),
        ])
    func variablesThatDoNotResembleHubsendsAreAllowed(name: String, meant: String?) {
        #expect(OwnVariables.meant(by: name) == meant)
    }

    @Test("Suggested commands contain libpq's variables with absolute paths")
    func suggestedCommandsContainLibpqsVariablesWithAbsolutePaths() {
        let variables = invocation([
            "PGOPTIONS": "-c search_path=a/b", "PGSSLCRL": "tmp/crl.pem", "PGREQUIREAUTH": "md5",
            "PGCHANNELBINDING": "require", "PGSSLROOTCERT": "system", "PGHOST": "tmp/run",
        ]).neededVariables(isStoreOnServer: true)
        #expect(
            Dictionary(uniqueKeysWithValues: variables.map { ($0.name, $0.value) }) == [
                "PGOPTIONS": "-c search_path=a/b", "PGSSLCRL": "/tmp/crl.pem",
                "PGREQUIREAUTH": "md5", "PGCHANNELBINDING": "require", "PGSSLROOTCERT": "system",
                "PGHOST": "/tmp/run",
            ])
        #expect(invocation([:]).absolute("tmp/a.yaml") == "/tmp/a.yaml")
    }

    @Test(
        "If sudo is missing, a suggested command changes the user in another way",
        arguments: [(0, "/usr/sbin/runuser -u daemon -- "), (2, "su daemon -s /bin/sh -c '")])
    func ifSudoIsMissingASuggestedCommandChangesTheUserInAnotherWay(number: UInt32, become: String)
        throws
    {
        try #require(InstalledTool.path(of: "runuser") != nil)
        let invocation = Invocation(
            environment: ["PATH": "/nowhere"], currentFolder: "/", program: "/bin/hubsend",
            arguments: ["runs"], user: SystemUser(number))
        #expect(invocation.opening(with: []) == "/bin/hubsend")
        let line = invocation.command(as: SystemUser(1))
        #expect(line.hasPrefix("cd / && \(become)/bin/hubsend runs"), "\(line)")
    }

    @Test("Every variable in the source and in the manual is known")
    func everyVariableInTheSourceAndInTheManualIsKnown() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../..").standardizedFileURL
        var lines: [String] = []
        for room in ["DeviceSimulation", "App"] {
            let source = root.appendingPathComponent("Sources/\(room)")
            let files = try #require(FileManager.default.subpaths(atPath: source.path))
            for file in files where file.hasSuffix(".swift") {
                lines += try Self.lines(of: source.appendingPathComponent(file)).filter {
                    !$0.drop { $0 == " " }.hasPrefix("//")
                }
            }
        }
        let named = Self.names(in: lines)
        #expect(named.count > 12)
        var documented: Set<String> = []
        for page in ["hubsend.1", "hubsend-hub.1"] {
            documented.formUnion(
                Self.names(
                    in: try Self.lines(of: root.appendingPathComponent("man/\(page)"))
                        .filter { $0.hasPrefix(".It Ev ") }))
        }
        #expect(documented.count > 12)
        let known = Set(OwnVariables.names)
        #expect(named.union(documented).subtracting(known) == [])
        let endings = ["_FILE", "_COMMAND"]
        let plain = known.filter { name in !endings.contains(where: name.hasSuffix) }
        #expect(plain.subtracting(documented) == [])
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private static func names(in lines: [String]) -> Set<String> {
        Set(lines.flatMap { $0.matches(of: /HUBSEND_[A-Z_]+/).map { String($0.0) } })
    }
}
