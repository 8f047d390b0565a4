import CampaignCore

/// The facts of the ten-second summary.
struct PreviewFacts {
    let model: PreviewModel

    /// The facts, most important first.
    var list: [Document.Fact] {
        var facts: [Document.Fact] = []
        if let description = model.description {
            facts.append(.init("about", "\(given: description)"))
        }
        if let first = model.messages.first {
            facts.append(.init("shows", shown(first)))
        }
        facts.append(.init("people", people))
        if !model.languages.isEmpty { facts.append(.init("languages", languages)) }
        if !model.platforms.isEmpty { facts.append(.init("platforms", platforms)) }
        if let reach = model.reach {
            facts.append(.init("devices", "\(ReachText(reach).summary)"))
        }
        facts.append(.init("when", time))
        if let fallback = model.fallback {
            facts.append(.init("fallback", Self.words(on: fallback)))
        }
        facts.append(.init("requests", requests))
        if let hub = model.hub {
            facts.append(.init("hub", "\(hub.words)"))
        } else if let name = model.hubName {
            facts.append(
                .init("hub", "\(given: name), address not set here"))
        }
        if let capped = model.outlook.capped {
            let pushes = Figures.count(capped, "push", "pushes")
            facts.append(
                .init("capped", "frequency_cap would skip \(pushes) now"))
        }
        return facts
    }

    private func shown(_ message: PreviewMessage) -> Phrase {
        guard let appearance = message.appearances.first else { return "nothing" }
        let text = TextKey.fetched.compactMap { appearance.texts[$0] }
            .filter { !$0.isEmpty }.map { part -> Phrase in "\(given: part)" }
        // In a secure campaign, people read only the fetched text; in a rich campaign, they read
        // the message first.
        let fetched: Phrase? =
            if model.kind == .secure, let text = message.fetchedText {
                "\(given: text)"
            } else {
                message.contentWords
            }
        let later = text + (fetched.map { [$0] } ?? [])
        guard model.kind.isSilent else { return .list(text) }
        if let placeholder = appearance.texts.placeholder {
            return
                "\(given: placeholder) at first; after the app has fetched it: \(Phrase.list(later))"
        }
        return "nothing at first; after the app has fetched it: \(Phrase.list(later))"
    }

    private var people: Phrase {
        let counts = model.audience
        var parts = ["\(Figures.count(counts.named)) in the list"]
        if counts.duplicate > 0 {
            parts.append(Figures.count(counts.duplicate, "duplicate", "duplicates"))
        }
        if counts.excluded > 0 { parts.append("\(Figures.count(counts.excluded)) excluded") }
        let list = parts.joined(separator: ", ")
        guard model.skippedRows > 0 else {
            return parts.count == 1 ? "\(counts.final)" : "\(counts.final) (\(list))"
        }
        // The list does not include skipped rows.
        let rows = Figures.count(model.skippedRows, "row", "rows")
        return "\(counts.final) (\(list); \(rows) skipped)"
    }

    private var languages: Phrase {
        .list(
            model.languages.map { entry in
                guard let language = entry.language else {
                    return "\(name: "default") \(entry.people)"
                }
                return "\(LanguageNames.phrase(language)) \(entry.people)"
            })
    }

    private var platforms: Phrase {
        let counts = Set(model.platforms.map(\.recipients))
        let all = model.platforms.map { plan in
            counts.count > 1
                ? "\(plan.platform.rawValue) \(Figures.count(plan.recipients))"
                : plan.platform.rawValue
        }
        return Phrase(all.joined(separator: ", "))
    }

    private var time: Phrase {
        let start: Phrase
        switch model.outlook.action {
        case .begin, .unknown:
            start =
                model.next?.upcoming.isEmpty == false
                ? "when you run it by hand and confirm, or with --now"
                : "as soon as you run it"
        case .proceed where model.outlook.run?.state == .running: start = "being sent now"
        case .proceed: start = "as soon as you run it again"
        case .nothing, .refuse: start = "a run now would send nothing"
        }
        let next: Phrase = byItself.map { "; \($0)" } ?? ""
        let waves: Phrase = WaveText(model).map { "; \($0.summary)" } ?? ""
        guard model.kind.isSilent else { return "\(start)\(waves)\(next)" }
        return
            "\(start)\(waves)\(next); the app can fetch it for \(Durations.span(model.expiresAfter))"
    }

    private var byItself: Phrase? {
        guard let next = model.next else { return nil }
        let start: Phrase? = next.upcoming.first.map {
            "next scheduled for \(next.readable($0)), in \(name: next.schedule.zone.name)"
        }
        guard let words = next.earlySending else { return start }
        return start.map { "\(words); \($0)" } ?? "\(words)"
    }

    private static func words(on fallback: PreviewFallback) -> Phrase {
        let people = Figures.count(fallback.people, "person", "people")
        return
            "\(given: fallback.message) after \(Durations.span(fallback.after)), to everybody who has not fetched it by then, at most \(people)"
    }

    private var requests: Phrase {
        guard let seconds = model.seconds, let rate = model.rate else {
            return "\(model.requests), as fast as the hub accepts them"
        }
        return
            "\(model.requests), about \(Durations.text(seconds: seconds)) at \(Self.rate(rate)) a second"
    }

    /// Returns a number such as `500` or `0.5`.
    private static func rate(_ rate: Double) -> String {
        rate >= 1 && rate == rate.rounded() && rate < 1e9
            ? Figures.count(Int(rate)) : String(rate)
    }

}
