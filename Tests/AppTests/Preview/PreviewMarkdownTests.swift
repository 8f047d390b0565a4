import CampaignCore
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PreviewMarkdownTests {
    /// Text that could format a comment, mention somebody, end a code block or give a build server
    /// a command.
    private static let hostile = [
        "<img src=x onerror=alert(1)>", "@everyone #12 !3 ~bug", "**bold** _x_ [a](http://b)",
        "`", "a``b```c", "```\n</details>\n# heading", "~~~\n@all", "::error::x", "/close",
        "line\n::error file=x::y", "|a|b|\n|---|", " `x` ", "   ", "`\u{301}@everyone",
        "@everyone\u{D4E}`", "@everyone\u{D4E}``\u{301}", "```\u{301}\n@everyone",
    ]

    @Test("Text from files appears only in code", arguments: hostile)
    func textFromFilesAppearsOnlyInCode(text: String) {
        let comment = PreviewMarkdown(
            [
                .campaign(PreviewSamples.alert(text)), .invalid(path: text, findings: text),
                .refused(path: text, why: text),
            ], showsRequests: true
        ).text()
        let bare = Self.withoutCode(comment)
        for mark in ["alert(1)", "everyone", "bold", "[a]", "heading", "::error", "/close", "|a|"] {
            #expect(!bare.contains(mark), "\(bare)")
        }
        for line in comment.split(separator: "\n") {
            #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
        }
        // Only hubsend's own text contains markup for folding.
        #expect(bare.components(of: "<details>") == bare.components(of: "</details>"))
    }

    @Test("Code spans and blocks preserve backticks") func codeSpansAndBlocksPreserveBackticks() {
        #expect(MarkdownCode.span("a`b") == "``a`b``")
        #expect(MarkdownCode.span("`") == "`` ` ``")
        #expect(MarkdownCode.span("`\u{301}a") == "`` `\u{301}a ``")
        #expect(MarkdownCode.span("a\u{D4E}`") == "`` a\u{D4E}` ``")
        #expect(MarkdownCode.span("plain") == "`plain`")
        #expect(MarkdownCode.span("") == "(empty)")
        #expect(MarkdownCode.block(["````"]) == ["`````text", "````", "`````"])
    }

    @Test("The summary is short and the details are folded")
    func summaryIsShortAndTheDetailsAreFolded() throws {
        let comment = PreviewMarkdown([.campaign(try PreviewSamples.rich())], showsRequests: false)
            .text()
        let lines = comment.split(separator: "\n")
        #expect(lines.first == "### Campaign `spring-sale`")
        let fold = try #require(lines.firstIndex { $0.hasPrefix("<details>") })
        #expect(fold < 16)
        #expect(comment.contains("- :warning: 1,200 fewer people than in the run of 2026-12-01"))
        #expect(comment.contains("- **languages**: `default` 640, German (`de`) 348"))
        #expect(comment.contains("Hi Alice, check this out!"))
        #expect(!comment.contains("POST"))
    }

    @Test("The comment shows the figures of the file separately from those of the run")
    func commentShowsTheFiguresOfTheFileSeparatelyFromThoseOfTheRun() {
        var model = PreviewSamples.secure()
        model.outlook = PreviewOutlook(
            action: .proceed, run: ReportSamples.record(state: .paused), deliveries: 1)
        let comment = PreviewMarkdown([.campaign(model)], showsRequests: false).text()
        #expect(
            comment.contains(" with 1 push to go. The file now has:\n\n- **shows**:"), "\(comment)")
    }

    @Test("Many campaigns fit into one comment", arguments: [50, 500])
    func manyCampaignsFitIntoOneComment(count: Int) throws {
        let model = try PreviewSamples.rich()
        let comment = PreviewMarkdown(
            Array(repeating: .campaign(model), count: count), showsRequests: false
        ).text()
        #expect(comment.utf8.count <= PreviewMarkdown.largest)
        #expect(comment.contains("The details did not fit."))
        #expect(comment.contains("more campaigns are not shown because") == (count > 100))
        let shown = comment.ranges(of: "### Campaign").count
        let left = comment.firstMatch(of: /(\d+) more campaigns/).flatMap { Int($0.1) } ?? 0
        #expect(shown + left == count)
    }

    @Test("A comment never exceeds its limit or cuts a campaign in two")
    func commentNeverExceedsItsLimitOrCutsACampaignInTwo() throws {
        let models = [try PreviewSamples.rich(), PreviewSamples.secure()]
        for count in stride(from: 10, through: 150, by: 7) {
            for model in models {
                let comment = PreviewMarkdown(
                    Array(repeating: .campaign(model), count: count), showsRequests: false
                ).text()
                #expect(comment.utf8.count <= PreviewMarkdown.largest, "\(count)")
                #expect(
                    comment.ranges(of: "<details>").count == comment.ranges(of: "</details>").count)
                #expect(comment.hasSuffix("\nNothing was sent and nothing was stored.\n"))
            }
        }
    }

    /// The Markdown without its code, which is found by CommonMark's rules.
    private static func withoutCode(_ text: String) -> String {
        var kept: [String] = []
        var fence: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = fence {
                if line == open { fence = nil }
            } else if line.hasPrefix("```"), line.hasSuffix("text") {
                fence = String(line.prefix { $0 == "`" })
            } else {
                kept.append(withoutSpans(String(line)))
            }
        }
        return kept.joined(separator: "\n")
    }

    private static func withoutSpans(_ line: String) -> String {
        var result = ""
        var rest = Array(line.unicodeScalars)[...]
        func run(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
            scalars.prefix { $0 == "`" }.count
        }
        while let scalar = rest.first {
            let opening = run(rest)
            guard opening > 0 else {
                result.unicodeScalars.append(scalar)
                rest.removeFirst()
                continue
            }
            rest = rest.dropFirst(opening)
            var inner = rest
            while !inner.isEmpty, run(inner) != opening {
                inner = inner.dropFirst(max(1, run(inner)))
            }
            if !inner.isEmpty { rest = inner.dropFirst(opening) }
        }
        return result
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
