import CampaignCore
import Files
import ProcessControl

/// An error that says how a command ends because of it.
protocol Refusal: Error {
    var status: ExitStatus { get }
    /// Full sentences: what is wrong, where, what to do; empty if everything was said.
    var sentence: String { get }
    /// Whole lines to show below the sentence; usually empty.
    var details: String { get }
    /// The user who owns what is refused; the same command works for them.
    var owner: SystemUser? { get }
}

extension Refusal {
    var status: ExitStatus { .configuration }
    var details: String { owner.map { "  \(Invocation.current().command(as: $0))\n" } ?? "" }
    var owner: SystemUser? { nil }
}

extension Refusal where Self: CustomStringConvertible {
    var sentence: String { owner.map { "\(self) The same command as \($0):" } ?? "\(self)" }
}

/// A refusal whose words are written where it is thrown; only ``byPerson`` is told from others.
struct Refused: Refusal, Hashable, CustomStringConvertible {
    /// Ends a command after its findings were shown, errors among them.
    static let findingsShown = Refused("", status: .faults)
    /// Ends a command after a person said no; nothing was done, and nothing is wrong.
    static let byPerson = Refused("", status: .done)

    let sentence: String
    let details: String
    let status: ExitStatus

    init(_ sentence: String, details: String = "", status: ExitStatus = .configuration) {
        self.sentence = sentence
        self.details = details
        self.status = status
    }

    /// Any error as a refusal; an error of an unlisted type is reported as a bug in hubsend.
    init(for error: any Error) {
        if let refusal = error as? any Refusal {
            self.init(refusal.sentence, details: refusal.details, status: refusal.status)
        } else {
            self.init(
                "this is a bug in hubsend, please report it: an unforeseen \(type(of: error)): "
                    + Redaction.text("\(error)").prefix(500), status: .bug)
        }
    }

    var description: String { sentence }

    /// Five of some items, a line each, and how many more there are.
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
    /// Ends the command without a word, unless all is done.
    func exit() throws {
        if self != .done { throw Refused("", status: self) }
    }
}

extension Console {
    /// Says why a command does not do its work, and returns the exit code.
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
