import Foundation
import TestSupport
import Testing

/// CONTRIBUTING.md is a tour of the source; the files and functions that it names exist.
@Suite(.bounded) struct ContributingTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The stops, written as "`Sources/Room/File.swift` `name(label:)`".
    private func stops() throws -> [(file: String, name: String)] {
        try text("CONTRIBUTING.md").matches(of: /`(Sources\/[^`]+\.swift)` `([^`]+)`/)
            .map { (String($0.1), String($0.2)) }
    }

    @Test func everyFileAndFunctionOfTheWalksIsThere() throws {
        let stops = try stops()
        #expect(stops.count >= 40)
        for (file, name) in stops {
            let declared = try Declarations(in: text(file)).names
            #expect(declared.contains(name), "\(file) declares no \(name)")
        }
    }

    /// Files named alone, or in another form, would not be checked.
    @Test func everyFileThatIsNamedIsAStop() throws {
        let files = try text("CONTRIBUTING.md").matches(of: /`Sources\/[^`]+\.swift`/)
        #expect(try files.count == stops().count)
    }

    @Test func everyPackageHasItsReason() throws {
        let packages = try text("Package.swift").matches(
            of: /\.package\(url: "[^"]*\/([^\/"]+)"/)
        #expect(packages.count > 10)
        let rows = try text("CONTRIBUTING.md").split(separator: "\n").filter {
            $0.hasPrefix("| ")
        }
        // The first column, word by word.
        let named = Set(
            rows.flatMap { row in
                row.split(separator: "|")[0].split { " ,".contains($0) }.map(String.init)
            })
        for package in packages { #expect(named.contains(String(package.1)), "\(package.1)") }
    }

    @Test func declarationsAreToldApartByTheirLabels() {
        let declarations = Declarations(
            in: """
                // func gone() {}
                package struct Door<Key: Hashable>: Sendable {
                    private let handle = Handle.init(width: 2)
                    package init?(_ key: Key, of map: [Key: (Int, Int)], width: Int = 3) {}
                    mutating func open<Hand>(
                        by hand: Hand, for time: Duration,
                        _ then: (Int, Result<Int, Never>) -> Void
                    ) {}
                    func close() {}
                }
                """)
        #expect(
            declarations.names == ["Door", "init(_:of:width:)", "open(by:for:_:)", "close()"])
    }
}

/// The declarations of a source file, named as in documentation: `send(_:to:)`.
private struct Declarations {
    let names: Set<String>

    init(in text: String) {
        let code = text.split(separator: "\n").filter {
            !$0.drop { $0 == " " }.hasPrefix("//")
        }.joined(separator: "\n")
        let types = code.matches(
            of: /(?m)^[a-z() ]*\b(?:struct|class|enum|actor|protocol) (\w+)/
        ).map { String($0.1) }
        let functions = code.matches(
            of: /(?m)^[a-z() ]*\b(?:func (\w+)|init[?]?)(?:<[^(]*>)?\(/
        ).map { match in
            "\(match.1 ?? "init")(\(Self.labels(code[match.range.upperBound...])))"
        }
        names = Set(types + functions)
    }

    /// The parameter labels at the beginning of a text, up to the closing parenthesis.
    private static func labels(_ text: Substring) -> String {
        var parameters = [""]
        var depth = 0
        for character in text {
            if character == ")", depth == 0 { break }
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if character == ",", depth == 0 {
                parameters.append("")
            } else if depth == 0 {
                parameters[parameters.count - 1].append(character)
            }
        }
        // A part without a colon is the rest of a generic type.
        return parameters.filter { $0.contains(":") }.map { parameter in
            String(parameter.drop(while: \.isWhitespace).prefix { !$0.isWhitespace && $0 != ":" })
                + ":"
        }.joined()
    }
}
