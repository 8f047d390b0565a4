import ArgumentParser
import CampaignCore
import CampaignOperations
import Foundation
import Reports
import Settings
import Storage
import Terminal

/// `hubsend payload list`.
struct PayloadListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists stored payloads, newest run first; never their content.",
        discussion: """
            A campaign without variables has one payload for each language that anybody gets, one with variables has one \
            for each recipient. \
            Longer lists are read page by page: --after takes the last id of the page before.
            """)

    @Option(help: ArgumentHelp("Only this run's.", valueName: "run"), transform: RunID.argument)
    var run: RunID?

    @Option(
        help: ArgumentHelp("Go on after this payload.", valueName: "id"),
        transform: NotificationID.argument)
    var after: NotificationID?

    @Option(help: ArgumentHelp("How many at the most, 1 to 10,000.", valueName: "count"))
    var limit = 50

    @Option(help: ArgumentHelp("text or json.", valueName: "format"))
    var format: ListFormat = .text

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit takes a number from 1 to 10,000.")
        }
    }

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try SQLiteStore.openForReading(at: settings.store)
        if let run, try await store.run(run) == nil { throw OperationFault.noSuchRun(run) }
        let overviews = try await store.overviews(run: run, after: after, limit: limit)
        let now = Date()
        switch format {
        case .text:
            let style = settings.invocation.outputStyle
            let list = NotificationListText(overviews, at: now, style: style)
            try Console.output(list.text(), style: style)
            if overviews.count == limit, let last = overviews.last, !options.quiet {
                Console.complain("There may be more: add --after \(last.id)")
            }
        case .json:
            try Console.output(NotificationListJSON(overviews, at: now).line())
        }
    }
}
