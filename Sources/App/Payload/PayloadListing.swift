import CampaignCore
import Foundation
import Storage

struct PayloadListing {
    private let payloads: [NotificationOverview]
    private let limit: Int

    /// - Parameters:
    ///   - run: only this run's payloads; nil: all payloads.
    ///   - last: the payload to continue after; nil: begin with the first.
    init(
        of run: RunID?, after last: NotificationID?, limit: Int, in store: any Store
    ) async throws {
        if let run, try await store.run(run) == nil { throw OperationFault.noSuchRun(run) }
        payloads = try await store.overviews(run: run, after: last, limit: limit)
        self.limit = limit
    }

    /// Writes the list to stdout; if there may be more, says on stderr how to continue.
    func print(_ format: ListFormat, _ invocation: Invocation, isQuiet: Bool) throws {
        let now = Date()
        switch format {
        case .text:
            let style = invocation.outputStyle
            let text = NotificationListText(
                payloads, at: now, style: style, width: Console.outputColumns)
            try Console.output(text.text(), style: style)
            if payloads.count == limit, let last = payloads.last, !isQuiet {
                Console.complain("There may be more: add --after \(last.id)")
            }
        case .json:
            try Console.output(NotificationListJSON(payloads, at: now).line())
        }
    }
}
