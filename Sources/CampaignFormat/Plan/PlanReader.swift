import CampaignCore
import FoundationEssentials

/// Reads what ``PlanDocument`` wrote.
struct PlanReader {
    private struct Head: Decodable {
        let format: Int
    }

    let path: String

    /// Ignores keys that this version does not know, and throws the first error.
    func plan(in bytes: [UInt8]) throws(PlanFileError) -> SavedPlan {
        // The file is read as YAML first, because JSON is also YAML. The YAML parser knows where
        // each value is and refuses a repeated key; the JSON decoder would silently use one of the
        // two.
        let document = YAMLParser.parse(bytes, limits: YAMLLimits(bytes: PlanFile.largest))
        if let problem = document.errors.first {
            throw damaged(at: problem.range.start, problem.message)
        }
        let format: Int
        do {
            let data = Data(bytes)
            format = try JSONDecoder().decode(Head.self, from: data).format
            if format <= SavedPlan.format {
                return try JSONDecoder().decode(PlanDocument.self, from: data).plan
            }
        } catch {
            throw place(of: PlanError(error), in: document)
        }
        throw .newer(path: path, format: format)
    }

    private func place(of problem: PlanError, in document: YAMLDocument) -> PlanFileError {
        var node = document.root
        for key in problem.path {
            let items = node?.items ?? []
            node = node?.entry(at: key)?.value ?? items.dropFirst(Int(key) ?? items.count).first
        }
        return damaged(at: (node ?? document.root)?.range.start ?? .start, problem.why)
    }

    private func damaged(at place: SourcePosition, _ why: String) -> PlanFileError {
        .damaged(path: path, line: place.line, column: place.column, why: why)
    }
}

/// A problem with a value in a plan file.
struct PlanError: Error {
    /// The keys and indices that lead to the value.
    let path: [String]
    /// A full sentence.
    let why: String

    init(_ path: [any CodingKey], item: String? = nil, why: String) {
        self.path =
            path.map { $0.intValue.map(String.init) ?? $0.stringValue } + (item.map { [$0] } ?? [])
        self.why = why
    }

    init(_ error: any Error) {
        switch error {
        case let problem as PlanError: self = problem
        case DecodingError.keyNotFound(let key, let context):
            self.init(context.codingPath, why: "The key \"\(key.stringValue)\" is missing.")
        case DecodingError.typeMismatch(let type, let context),
            DecodingError.valueNotFound(let type, let context):
            self.init(context.codingPath, expecting: type)
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            // This can only be a number that does not fit into an integer, because the decoder does
            // not check the form of other values.
            self.init(context.codingPath, expecting: Int.self)
        default: self.init([], why: "This is not JSON.")
        }
    }

    private init(_ path: [any CodingKey], expecting type: any Any.Type) {
        let key = path.last { $0.intValue == nil }?.stringValue ?? ""
        let noun: String? =
            switch type {
            case is Int.Type: "a number"
            case is String.Type: "a text"
            case is Bool.Type: "true"
            case is [Any].Type: "a list"
            default: nil
            }
        self.init(
            path, why: noun.map { "\"\(key)\" must be \($0)." } ?? "An object is expected here.")
    }
}
