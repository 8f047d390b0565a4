import CampaignCore

/// The output of `preview --format json`; keys may be added, but never removed.
enum PreviewJSON {
    static func object(_ model: PreviewModel) -> JSONObject {
        let early: JSONObject = ["sent_early": model.next?.sentEarly.map(UTCTime.text)]
        return early.withoutNulls + [
            "campaign": model.campaign,
            "description": model.description,
            "kind": model.kind,
            "recipients": model.audience,
            "skipped_rows": model.skippedRows,
            "deliveries": model.deliveries,
            "requests": model.requests,
            "seconds": model.seconds,
            "hub": model.hub?.description,
            "would_send": model.wouldSend,
            "masked": model.isMasked,
            "reach": model.reach.map(ReachJSON.object),
            "languages": model.languages.map {
                ["language": $0.language?.text, "people": $0.people] as JSONObject
            },
            "platforms": model.platforms.compactMap(platform),
            "waves": model.waves.map {
                [
                    "opens": $0.opens.map(UTCTime.text), "zones": $0.zones, "people": $0.people,
                    "too_late": $0.isTooLate,
                ] as JSONObject
            },
            "next_start": model.next?.upcoming.first.map(UTCTime.text),
            "fallback": model.fallback.map {
                [
                    "after": $0.after / .seconds(1), "message": $0.message, "people": $0.people,
                ] as JSONObject
            },
            "remarks": model.remarks.map { ["id": $0.id, "text": $0.phrase.text] as JSONObject },
            "messages": model.messages.map(message),
            "now": now(model.outlook),
        ]
    }

    private static func now(_ outlook: PreviewOutlook) -> JSONObject {
        [
            "action": outlook.action, "run": outlook.run?.id.text, "state": outlook.run?.state,
            "deliveries": outlook.deliveries, "capped": outlook.capped,
            "changed_since": outlook.changed,
        ]
    }

    /// The value is nil if nobody gets a push on the platform.
    private static func platform(_ platform: PreviewPlatform) -> JSONObject? {
        platform.request.map { request in
            [
                "platform": platform.platform.rawValue, "method": request.method,
                "url": request.url, "headers": PreviewRequestParts.fields(of: request),
                "body": PreviewRequestParts(request).body, "bytes": platform.worstBytes,
                "limit": platform.limit,
            ]
        }
    }

    private static func message(_ message: PreviewMessage) -> JSONObject {
        [
            "language": message.language?.text, "people": message.people,
            "user": message.person?.text, "defaults": message.defaults,
            "appearances": message.appearances.map {
                ["platforms": $0.platforms.map(\.rawValue)]
                    + JSONObject($0.texts, of: TextKey.all)
            },
            "type": message.type, "link": message.link,
            "data": Dictionary(message.data.map { ($0.key, $0.value) }) { $1 },
            "content": message.content.map(content),
        ]
    }

    private static func content(_ content: PreviewContent) -> JSONObject {
        switch content {
        case .text(let text): ["text": text]
        case .url(let address): ["url": address]
        case .file(let file):
            ["file": file.path, "media_type": file.mediaType, "bytes": file.bytes.count]
        }
    }
}
