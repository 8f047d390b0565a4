import CampaignCore

/// The ten-second summary of a sending.
struct PreviewFacts {
    let model: PreviewModel

    /// The most important first.
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
                .init("hub", "\(given: name), whose address is not set here"))
        }
        if let capped = model.outlook.capped {
            let pushes = Figures.count(capped, "push", "pushes")
            facts.append(
                .init("capped", "\(pushes) that frequency_cap would skip now"))
        }
        return facts
    }

    private func shown(_ message: PreviewMessage) -> Phrase {
        guard let appearance = message.appearances.first else { return "nothing" }
        let text = TextKey.fetched.compactMap { appearance.texts[$0] }
            .filter { !$0.isEmpty }.map { part -> Phrase in "\(given: part)" }
        // People see what a secure campaign's app fetches; in a rich one it comes after.
        let fetched: Phrase? =
            if model.kind == .secure, let text = message.fetchedText {
                "\(given: text)"
            } else {
                message.contentWords
            }
        let later = text + (fetched.map { [$0] } ?? [])
        guard model.kind.isSilent else { return .list(text) }
        if let placeholder = appearance.texts.placeholder {
            return "\(given: placeholder), until the app has fetched \(Phrase.list(later))"
        }
        return "nothing, until the app has fetched \(Phrase.list(later))"
    }

    private var people: Phrase {
        let counts = model.audience
        var parts = ["\(Figures.count(counts.named)) named"]
        if counts.duplicate > 0 {
            parts.append(Figures.count(counts.duplicate, "duplicate", "duplicates"))
        }
        if counts.excluded > 0 { parts.append("\(Figures.count(counts.excluded)) excluded") }
        return "\(counts.final) of \(parts.joined(separator: ", "))"
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
                model.next?.coming.isEmpty == false
                ? "when it is run by hand, after a question or with --now"
                : "as soon as it is run"
        case .proceed where model.outlook.run?.state == .running: start = "at this moment"
        case .proceed: start = "as soon as it is run again"
        case .nothing, .refuse: start = "a run now would send nothing"
        }
        let next: Phrase = byItself.map { "; \($0)" } ?? ""
        let turns: Phrase = PreviewTurns(model).map { "; \($0.summary)" } ?? ""
        guard model.kind.isSilent else { return "\(start)\(turns)\(next)" }
        return
            "\(start)\(turns)\(next); the app can fetch it for \(Durations.span(model.expiresAfter))"
    }

    private var byItself: Phrase? {
        guard let next = model.next else { return nil }
        let start: Phrase? = next.coming.first.map {
            "by its schedule next on \(next.readable($0)), in \(name: next.schedule.zone.name)"
        }
        guard let words = next.earlySending else { return start }
        return start.map { "\(words); \($0)" } ?? "\(words)"
    }

    private static func words(on fallback: PreviewFallback) -> Phrase {
        let people = Figures.count(fallback.people, "person", "people")
        return
            "\(given: fallback.message) after \(Durations.span(fallback.after)), to those of \(people) who have not fetched it by then"
    }

    private var requests: Phrase {
        guard let seconds = model.seconds, let rate = model.rate else {
            return "\(model.requests), as fast as the hub takes them"
        }
        return
            "\(model.requests), about \(Durations.text(seconds: seconds)) at \(Self.rate(rate)) a second"
    }

    /// Such as `500`, `0.5`.
    private static func rate(_ rate: Double) -> String {
        rate >= 1 && rate == rate.rounded() && rate < 1e9
            ? Figures.count(Int(rate)) : String(rate)
    }

}
