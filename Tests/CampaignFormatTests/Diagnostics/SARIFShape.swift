import Foundation
import Testing

/// The published schema of SARIF 2.1.0 (OASIS), reduced to the objects that hubsend writes.
///
/// It lists the properties, their types and which of them are required, and does not allow other
/// properties. Where the schema allows a choice, such as between the text of a message and its ID,
/// only hubsend's choice is listed.
enum SARIFShape {
    private indirect enum Shape: Sendable {
        case text
        case words(Set<String>)
        /// A whole number of at least this value.
        case number(from: Int)
        case list(Shape)
        /// A list without duplicates.
        case set(Shape)
        /// Strings with arbitrary keys.
        case texts
        case object(needed: [String], [String: Shape])
    }

    private static let message = Shape.object(
        needed: ["text"],
        ["text": .text, "markdown": .text, "id": .text, "arguments": .list(.text)])
    private static let multiformat = Shape.object(
        needed: ["text"], ["text": .text, "markdown": .text])
    private static let level = Shape.words(["none", "note", "warning", "error"])
    private static let rule = Shape.object(
        needed: ["id"],
        [
            "id": .text, "name": .text, "shortDescription": multiformat,
            "fullDescription": multiformat, "help": multiformat, "helpUri": .text,
            "defaultConfiguration": .object(needed: [], ["level": level]),
        ])
    private static let region = Shape.object(
        needed: ["startLine"],
        [
            "startLine": .number(from: 1), "startColumn": .number(from: 1),
            "endLine": .number(from: 1), "endColumn": .number(from: 1),
        ])
    private static let location = Shape.object(
        needed: [],
        [
            "id": .number(from: -1), "message": message,
            "physicalLocation": .object(
                needed: ["artifactLocation"],
                [
                    "artifactLocation": .object(
                        needed: [], ["uri": .text, "uriBaseId": .text]),
                    "region": region,
                ]),
        ])
    private static let result = Shape.object(
        needed: ["message"],
        [
            "ruleId": .text, "ruleIndex": .number(from: -1), "level": level, "message": message,
            "locations": .list(location), "relatedLocations": .set(location),
            "partialFingerprints": .texts,
        ])
    private static let driver = Shape.object(
        needed: ["name"],
        ["name": .text, "version": .text, "semanticVersion": .text, "rules": .set(rule)])
    private static let log = Shape.object(
        needed: ["version", "runs"],
        [
            "$schema": .text, "version": .words(["2.1.0"]),
            "runs": .list(
                .object(
                    needed: ["tool"],
                    [
                        "tool": .object(needed: ["driver"], ["driver": driver]),
                        "columnKind": .words(["utf16CodeUnits", "unicodeCodePoints"]),
                        "results": .list(result),
                    ])),
        ])

    /// Records an issue for each property that violates the schema.
    static func check(_ value: [String: Any]) throws {
        check(value, log, at: "$")
    }

    private static func check(_ value: Any, _ shape: Shape, at path: String) {
        switch shape {
        case .text:
            let text = value as? String
            #expect(text?.isEmpty == false, "\(path)")
        case .words(let words): #expect(words.contains(value as? String ?? ""), "\(path)")
        case .number(let bound): #expect((value as? Int ?? .min) >= bound, "\(path)")
        case .texts: #expect(value is [String: String], "\(path)")
        case .set(let item):
            let items = (value as? [[String: Any]] ?? []).map { NSDictionary(dictionary: $0) }
            #expect(Set(items).count == items.count, "\(path) holds something twice")
            check(value, .list(item), at: path)
        case .list(let item):
            guard let items = value as? [Any] else {
                Issue.record("\(path) is no list")
                return
            }
            for (index, inner) in items.enumerated() { check(inner, item, at: "\(path)[\(index)]") }
        case .object(let needed, let properties):
            guard let object = value as? [String: Any] else {
                Issue.record("\(path) is no object")
                return
            }
            for name in needed { #expect(object[name] != nil, "\(path).\(name)") }
            for (name, inner) in object {
                guard let shape = properties[name] else {
                    Issue.record("\(path).\(name) is not in the schema")
                    continue
                }
                check(inner, shape, at: "\(path).\(name)")
            }
        }
    }
}
