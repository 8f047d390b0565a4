import ArgumentParser
import CampaignCore
import Foundation
import Storage

struct PayloadListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists stored payloads, newest run first, without their content.",
        discussion: """
            A campaign without variables has one payload for each language in use; a campaign with variables has one \
            for each recipient. Alerts, which have nothing to fetch, are listed only with --run. To page through a \
            long list, pass the last id of each page to --after.
            """)

    @Option(
        help: ArgumentHelp("List only the payloads of this run.", valueName: "run"),
        completion: .runIDs,
        transform: RunID.argument)
    var run: RunID?

    @Option(
        help: ArgumentHelp("Continue after this payload.", valueName: "id"),
        transform: NotificationID.argument)
    var after: NotificationID?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: FormatOptions
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try await settings.store.openForReading()
        if let run, try await store.run(run) == nil { throw Refused.noSuchRun(run) }
        let payloads = try await store.overviews(run: run, after: after, limit: list.limit)
        switch output.format {
        case .text:
            try settings.invocation.show(Document(payloads: payloads, at: Date()))
            if payloads.count == list.limit, let last = payloads.last, !options.quiet {
                Console.complain("There may be more payloads; to list them, add --after \(last.id)")
            }
        case .json: try Console.output(NotificationJSON.list(payloads, at: Date()).line())
        }
    }
}
