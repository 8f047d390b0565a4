import Foundation

/// The Swift blocks of a documentation catalogue, and the compiled code that they must equal.
///
/// In a compiled file, an example is between `// example` and `// end`; its indentation is ignored.
package struct Articles {
    package struct Block: Sendable, CustomStringConvertible {
        /// The article, and the line where the block begins.
        package let place: String
        package let text: String

        package var description: String { "\(place):\n\(text)" }
    }

    package let blocks: [Block]
    package let examples: [String]

    /// Reads a catalogue, such as `Sources/Target/Target.docc`, and the examples for it.
    package init(
        of catalogue: String, examplesIn folder: String, from file: String = #filePath
    ) throws {
        var top = URL(filePath: file)
        for _ in 0..<4 { top.deleteLastPathComponent() }
        blocks = try Self.files(in: top.appending(path: catalogue), "md").flatMap { name, text in
            Self.blocks(of: text, named: name)
        }
        examples = try Self.files(in: top.appending(path: folder), "swift").flatMap { _, text in
            Self.examples(in: text)
        }
    }

    /// The blocks that do not equal any example.
    package var strangers: [Block] { blocks.filter { !examples.contains($0.text) } }

    package var unused: [String] {
        examples.filter { example in !blocks.contains { $0.text == example } }
    }

    private static func files(
        in folder: URL, _ ending: String
    ) throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".\(ending)") }.map { name in
                (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
            }
    }

    private static func blocks(of article: String, named name: String) -> [Block] {
        var blocks: [Block] = []
        var lines: [Substring]?
        var start = 0
        for (number, line) in article.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if let open = lines {
                if line == "```" {
                    blocks.append(
                        Block(place: "\(name):\(start)", text: open.joined(separator: "\n")))
                    lines = nil
                } else {
                    lines = open + [line]
                }
            } else if line == "```swift" {
                start = number + 1
                lines = []
            }
        }
        return blocks
    }

    private static func examples(in source: String) -> [String] {
        var examples: [String] = []
        var lines: [Substring]?
        var indentation = 0
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            if let open = lines {
                if text == "// end" {
                    examples.append(open.joined(separator: "\n"))
                    lines = nil
                } else {
                    lines = open + [line.dropFirst(min(indentation, line.count - text.count))]
                }
            } else if text == "// example" {
                indentation = line.count - text.count
                lines = []
            }
        }
        return examples
    }
}
