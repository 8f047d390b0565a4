import CampaignCore
import FoundationEssentials

/// Draws two charts over time, because in one chart a few errors would be invisible next to the
/// sends.
struct CourseChart {
    private static let height = 100

    let course: RunCourse

    func html() -> String {
        let hasTroubles = course.steps.contains { count(Outcome.failures, in: $0) > 0 }
        let errors =
            hasTroubles
            ? chart("errors", "Rejected, failed or unknown", Outcome.failures)
            : "<p class=\"note\">No push was rejected, failed or stayed unanswered.</p>\n"
        return """
            <div class="course">
            \(chart("sends", "Accepted", [.accepted]))\(errors)\(table)</div>

            """
    }

    private func chart(_ id: String, _ name: String, _ outcomes: [Outcome]) -> String {
        let counts = course.steps.map { count(outcomes, in: $0) }
        let most = counts.max() ?? 0
        let bars = course.steps.enumerated().map { column($0.offset, $0.element, outcomes, most) }
        let peak = counts.firstIndex(of: most).map { time(of: $0) } ?? ""
        return """
            <figure class="chart"><figcaption><span>\(name), per \(length)</span>\
            <span class="share">at most \(Figures.count(most))</span></figcaption>
            <svg viewBox="0 0 \(course.steps.count * 10) \(Self.height)" preserveAspectRatio="none" role="img" \
            aria-labelledby="\(id)-title \(id)-desc">
            <title id="\(id)-title">\(name), per \(length)</title>
            <desc id="\(id)-desc">\(Figures.count(counts.reduce(0, +))) in total; \
            most in the \(length) from \(peak): \(Figures.count(most)). The table below has all numbers.</desc>
            \(bars.joined())</svg>
            <div class="axis" aria-hidden="true"><span>\(time(of: 0))</span><span>\(time(of: course.steps.count))</span></div></figure>

            """
    }

    /// Draws one step, with its outcomes stacked.
    private func column(
        _ place: Int, _ step: OutcomeCounts, _ outcomes: [Outcome], _ most: Int
    ) -> String {
        var below = 0
        return outcomes.filter { step[$0] > 0 }.map { outcome in
            defer { below += step[outcome] }
            let top = DrawnBar.length(most - below - step[outcome], of: most)
            return """
                <rect class="\(outcome.rawValue)" x="\(place * 10 + 1)" y="\(top)" width="8" \
                height="\(DrawnBar.length(step[outcome], of: most, least: 5))">\
                <title>\(time(of: place)): \(Figures.count(step[outcome])) \(outcome.rawValue)</title></rect>

                """
        }.joined()
    }

    private var table: String {
        var table = Document.Table(
            columns: [.init(head: "\(length) from", kind: .word)]
                + Outcome.sent.map { .init(head: $0.rawValue, kind: .number) },
            label: "Outcomes over time")
        for (place, step) in course.steps.enumerated() where step.total > 0 {
            table.append(words: [time(of: place)] + Outcome.sent.map { Figures.count(step[$0]) })
        }
        return DocumentHTML(hasIDs: true).html(
            of: [.fold("Chart data", [.table(table)])])
    }

    private var length: String { Durations.text(seconds: Double(course.length)) }

    private func count(_ outcomes: [Outcome], in step: OutcomeCounts) -> Int {
        outcomes.reduce(0) { $0 + step[$1] }
    }

    private func time(of place: Int) -> String {
        UTCTime.readable(course.start.addingTimeInterval(Double(place * course.length)))
    }
}
