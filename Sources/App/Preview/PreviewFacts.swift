import CampaignCore

/// The ten-second summary of a sending.
struct PreviewFacts {
    struct Fact {
        let label: String
        let phrase: Phrase
    }

    private let model: PreviewModel

    init(_ model: PreviewModel) {
        self.model = model
    }

    /// The most important first.
    var list: [Fact] {
        var facts: [Fact] = []
        if let description = model.description {
            facts.append(Fact(label: "about", phrase: "\(given: description)"))
        }
        if let first = model.messages.first {
            facts.append(Fact(label: "shows", phrase: shown(first)))
        }
        facts.append(Fact(label: "people", phrase: people))
        if !model.languages.isEmpty { facts.append(Fact(label: "languages", phrase: languages)) }
        if !model.platforms.isEmpty { facts.append(Fact(label: "platforms", phrase: platforms)) }
        if let reach = model.reach {
            facts.append(Fact(label: "devices", phrase: "\(ReachText(reach).summary)"))
        }
        facts.append(Fact(label: "when", phrase: time))
        if let fallback = model.fallback {
            facts.append(Fact(label: "fallback", phrase: Self.words(on: fallback)))
        }
        facts.append(Fact(label: "requests", phrase: requests))
        if let hub = model.hub {
            facts.append(Fact(label: "hub", phrase: "\(hub.words)"))
        } else if let name = model.hubName {
            facts.append(
                Fact(label: "hub", phrase: "\(given: name), whose address is not set here"))
        }
        if let capped = model.outlook.capped {
            let pushes = Figures.count(capped, "push", "pushes")
            facts.append(
                Fact(label: "capped", phrase: "\(pushes) that frequency_cap would skip now"))
        }
        return facts
    }

    private func shown(_ message: PreviewMessage) -> Phrase {
        guard let appearance = message.appearances.first else { return "nothing" }
        let text = [appearance.title, appearance.message].compactMap(\.self).filter { !$0.isEmpty }
            .map { part -> Phrase in "\(given: part)" }
        // People see what a secure campaign's app fetches; in a rich one it comes after.
        let fetched: Phrase? =
            if model.kind == .secure, let text = message.fetchedText {
                "\(given: text)"
            } else {
                message.contentWords
            }
        let later = text + (fetched.map { [$0] } ?? [])
        guard model.kind.isSilent else { return .list(text) }
        if let placeholder = appearance.placeholder {
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
            "\(start)\(turns)\(next); the app can fetch it for \(Self.span(model.expiresAfter))"
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
            "\(given: fallback.message) after \(span(fallback.after)), to those of \(people) who have not fetched it by then"
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
