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

    @Option(
        help: ArgumentHelp("Only this run's.", valueName: "run"), completion: .runIDs,
        transform: RunID.argument)
    var run: RunID?

    @Option(
        help: ArgumentHelp("Go on after this payload.", valueName: "id"),
        transform: NotificationID.argument)
    var after: NotificationID?

    @OptionGroup var list: ListOptions
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try SQLiteStore.openForReading(at: settings.store)
        if let run, try await store.run(run) == nil { throw OperationFault.noSuchRun(run) }
        let overviews = try await store.overviews(run: run, after: after, limit: list.limit)
        let now = Date()
        switch list.format {
        case .text:
            let style = settings.invocation.outputStyle
            let text = NotificationListText(overviews, at: now, style: style).text()
            try Console.output(text, style: style)
            if overviews.count == list.limit, let last = overviews.last, !options.quiet {
                Console.complain("There may be more: add --after \(last.id)")
            }
        case .json:
            try Console.output(NotificationListJSON(overviews, at: now).line())
        }
    }
}
