import CampaignCore
import Files
import ProcessControl

/// An error with the exit code and the sentence that a command ends with.
protocol Refusal: Error {
    var status: ExitStatus { get }
    /// A sentence that says what is wrong, where, and what to do; empty if everything was already
    /// printed.
    var sentence: String { get }
    /// Complete lines to print below the sentence; usually empty.
    var details: String { get }
    /// The user who owns the refused file and can run the same command.
    var owner: SystemUser? { get }
}

extension Refusal {
    var status: ExitStatus { .configuration }
    var details: String { owner.map { "  \(Invocation.current().command(as: $0))\n" } ?? "" }
    var owner: SystemUser? { nil }
}

extension Refusal where Self: CustomStringConvertible {
    var sentence: String { owner.map { "\(self) Run the command as \($0):" } ?? "\(self)" }
}

/// A refusal with a sentence written where it is thrown.
struct Refused: Refusal, Hashable, CustomStringConvertible {
    /// Ends a command that has printed findings with errors.
    static let findingsShown = Refused("", status: .findings)
    /// Ends a command without an error after a person declined.
    static let declined = Refused("", status: .done)

    let sentence: String
    let details: String
    let status: ExitStatus

    init(_ sentence: String, details: String = "", status: ExitStatus = .configuration) {
        self.sentence = sentence
        self.details = details
        self.status = status
    }

    /// Turns any error into a refusal; an error of an unknown type is reported as a bug in hubsend.
    init(for error: any Error) {
        if let refusal = error as? any Refusal {
            self.init(refusal.sentence, details: refusal.details, status: refusal.status)
        } else {
            self.init(
                "this is a bug in hubsend, please report it: unexpected \(type(of: error)): "
                    + Redaction.text("\(error)").prefix(500), status: .bug)
        }
    }

    var description: String { sentence }

    /// Lists up to five items, one per line, and says how many more there are.
    static func lines<Item>(
        _ items: [Item], more: String = "more", _ line: (Item) -> String
    ) -> String {
        var lines = items.prefix(5).map { "  \(line($0))\n" }
        let left = items.count - lines.count
        if left > 0 { lines.append("  and \(Figures.count(left)) \(more)\n") }
        return lines.joined()
    }
}

extension ExitStatus {
    /// Ends the command without a message, unless the status is `done`.
    func exit() throws {
        if self != .done { throw Refused("", status: self) }
    }
}

extension Console {
    /// Prints why a command failed, and returns its exit code.
    @discardableResult
    static func complain(_ error: any Error) -> ExitStatus {
        let refused = Refused(for: error)
        if !refused.sentence.isEmpty {
            complain("hubsend: \(refused.sentence)")
            notice(refused.details)
        }
        return refused.status
    }
}
