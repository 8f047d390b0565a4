package import CampaignCore
package import Files

/// Reads and writes plans: JSON with the keys of hubsend-plan(5).
package enum PlanFile {
    package static let largest = 4 << 20

    /// Also returns the bytes, from which the plan's id is computed; refuses a file that others can
    /// write.
    package static func read(
        _ path: String
    ) throws(PlanFileError) -> (plan: SavedPlan, bytes: [UInt8]) {
        let bytes: [UInt8]
        do {
            bytes = try ProtectedFile.read(path, .trusted, limit: largest)
        } catch {
            throw .refused(path: path, error)
        }
        return (try PlanReader(path: path).plan(in: bytes), bytes)
    }

    package static func bytes(of plan: SavedPlan) throws -> [UInt8] {
        try PlanDocument(plan).document()
    }
}

package enum PlanFileError: Error, Hashable, Sendable, CustomStringConvertible {
    case refused(path: String, ProtectedFileError)
    /// The line and column are counted from 1; `why` is a sentence.
    case damaged(path: String, line: Int, column: Int, why: String)
    case newer(path: String, format: Int)

    package var description: String {
        switch self {
        case .refused(let path, let problem):
            "The plan \(VisibleText.path(path)) \(problem.text(path: ShellWord.quoted(path)))"
        case .damaged(let path, let line, let column, let why):
            "The plan \(VisibleText.path(path)) is damaged: line \(line), column \(column): \(why) "
                + "Save it again with `hubsend preview --save`."
        case .newer(let path, let format):
            "The plan \(VisibleText.path(path)) has format \(format), but this version of hubsend only reads formats up to "
                + "\(SavedPlan.format); the plan was made by a newer version. Update hubsend, or save the plan again."
        }
    }
}
