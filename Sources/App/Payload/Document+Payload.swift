import CampaignCore
import FoundationEssentials

extension Document {
    /// The maximum length of a line, in Unicode scalars.
    private static let longestLine = 500

    /// The output of `hubsend payload show`: the facts, followed by the text or by how to get the
    /// content.
    init(
        payload overview: NotificationOverview, _ notification: StoredNotification, at now: Date
    ) {
        let texts: [(label: String, value: String?)] =
            [("type", notification.type)]
            + TextKey.fetched.map { ($0.rawValue, notification.texts[$0]) }
            + [("link", notification.link)]
            + notification.data.sorted { $0.key < $1.key }.map { ("data", "\($0.key)=\($0.value)") }
        let content = texts.compactMap { label, value in
            // The value is on one line, so that it cannot look like another fact.
            value.map { Fact(label, HubText.cleaned($0, limit: Self.longestLine)) }
        }
        let payload = Self.facts([
            "campaign": overview.campaign, "run": overview.run.text,
            "kind": overview.kind.rawValue, "language": notification.language?.text,
        ])
        let state = Self.facts([
            "media type": overview.mediaType,
            "bytes": notification.bytes.map { Figures.count($0.count) },
            "for": overview.recipient?.text
                ?? Figures.count(overview.recipients, "person", "people"),
            "at rest": overview.isEncrypted ? "encrypted" : "plain",
            "state": PayloadState(overview, at: now).rawValue,
            "created": UTCTime.readable(overview.created),
            "expires": UTCTime.readable(overview.expires),
            "revoked": overview.revoked.map(UTCTime.readable),
            "fetched by": Figures.count(overview.fetched),
            "read by": Figures.count(overview.read),
        ])
        self.init(blocks: [
            .group([.paragraph(Phrase(overview.id.text), .bold), .facts(payload + content + state)]
            ),
            Self.content(overview, notification),
        ])
    }

    /// The table of `hubsend payload list`, in the given order.
    init(payloads: [NotificationOverview], at now: Date) {
        guard !payloads.isEmpty else {
            self.init(blocks: [.paragraph("No payloads.")])
            return
        }
        var table = Table(
            columns: [
                .init(head: "ID"), .init(head: "CAMPAIGN", text: .left.cut(to: 10)),
                .init(head: "KIND", text: .left.leftOut(2)),
                .init(head: "TYPE", text: .left.leftOut(0)),
                .init(head: "BYTES", text: .right.leftOut(1)),
                .init(head: "FOR", text: .left.cut(to: 10)), .init(head: "STATE"),
                .init(head: "FETCHED", text: .right), .init(head: "READ", text: .right.leftOut(4)),
                .init(head: "EXPIRES", text: .left.leftOut(3)),
            ], isList: true)
        for payload in payloads {
            let state = PayloadState(payload, at: now)
            table.append(
                words: [
                    payload.id.text, payload.campaign, payload.kind.rawValue,
                    payload.mediaType ?? "", payload.byteCount.map(Figures.count) ?? "",
                    payload.recipient?.text
                        ?? Figures.count(payload.recipients, "person", "people"),
                    state.rawValue, Figures.count(payload.fetched), Figures.count(payload.read),
                    UTCTime.readable(payload.expires),
                ], state == .revoked ? .yellow : nil)
        }
        self.init(blocks: [.table(table)])
    }

    private static func content(
        _ overview: NotificationOverview, _ notification: StoredNotification
    ) -> Block {
        if notification.bytes == nil {
            return .paragraph(
                overview.kind.isSilent
                    ? "The content was purged." : "An alert has no content other than its message.")
        }
        guard let text = notification.text(overview.mediaType) else {
            return .paragraph("The content is not text. To write it to a file, use --output FILE")
        }
        return .code([text])
    }
}

enum PayloadState: String {
    case available
    case expired
    case revoked
    case purged

    init(_ overview: NotificationOverview, at now: Date) {
        if overview.byteCount == nil, overview.kind.isSilent {
            self = .purged
        } else if overview.revoked != nil {
            self = .revoked
        } else {
            self = overview.expires <= now ? .expired : .available
        }
    }
}
