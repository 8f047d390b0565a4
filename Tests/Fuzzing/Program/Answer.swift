import CampaignCore
import Foundation

@testable import CampaignFormat

/// Parses the cases of `.ci/differential`, one case per line: texts in Base64, separated by spaces.
enum Answer: String {
    case csv, multipart, tags, tokens

    /// - Returns: the parser's result in the same form, or `refused`.
    func answer(_ line: String) -> String {
        let texts = line.split(separator: " ", omittingEmptySubsequences: false).map {
            Data(base64Encoded: String($0)) ?? Data()
        }
        switch self {
        case .csv:
            let people = FormatParsers.people(
                in: Array(texts[0]), isTable: true, options: AudienceFileOptions(),
                columns: ["value"])
            return people.map { people in
                written(
                    people.flatMap {
                        $0.map { [$0.username.text, $0.values[0] ?? ""] } ?? ["", ""]
                    })
            } ?? "refused"
        case .multipart:
            let type = String(decoding: texts[0], as: UTF8.self)
            return HubParsers.parts(of: Array(texts[1]), type: type).map { parts in
                parts.map { "\(written([$0.name ?? ""])) \(Data($0.body).base64EncodedString())" }
                    .joined(separator: " ")
            } ?? "refused"
        case .tags:
            let expression = String(decoding: texts[0], as: UTF8.self)
            let tags = Set(texts.dropFirst().map { String(decoding: $0, as: UTF8.self) })
            // The hub reads both the expression and the expression that the client would send for
            // it.
            return [expression, ClientParsers.sent(expression)].map { text in
                text.flatMap { HubParsers.isAddressed(tags, by: $0) }.map(String.init) ?? "refused"
            }.joined(separator: " ")
        case .tokens:
            let header = String(decoding: texts[0], as: UTF8.self)
            return HubParsers.parts(ofToken: header).map(written) ?? "refused"
        }
    }

    private func written(_ texts: [String]) -> String {
        texts.map { Data($0.utf8).base64EncodedString() }.joined(separator: " ")
    }
}
