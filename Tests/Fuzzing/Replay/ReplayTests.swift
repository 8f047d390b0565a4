import Foundation
import TestSupport
import Testing

/// Reads again what once was too much for a parser, and what fuzzing begins with.
@Suite(.bounded)
struct ReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: Parser.allCases)
    func everyParserReadsItsSeedsAndWhatItOnceFailedAt(_ parser: Parser) throws {
        for kind in ["Seeds", "Regressions"] {
            let place = Self.folder.appending(path: "\(kind)/\(parser.rawValue)")
            guard FileManager.default.fileExists(atPath: place.path) else {
                #expect(kind == "Regressions", "There are no seeds for \(parser).")
                continue
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
                parser.read(Array(try Data(contentsOf: place.appending(path: name))))
            }
        }
    }

    @Test func everyFolderOfInputsIsAParsers() throws {
        for kind in ["Seeds", "Regressions"] {
            let place = Self.folder.appending(path: kind)
            for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
                #expect(Parser(rawValue: name) != nil, "No parser is called \(name).")
            }
        }
    }
}
