import ArgumentParser
import CampaignCore
import CampaignFormat

struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Lists what `hubsend validate` checks, or explains a rule.",
        discussion: """
            Each rule has a stable name, shown in brackets after each finding. With a name, explains the rule and \
            shows an incorrect and a correct example. hubsend-rules(7) describes all rules.
            """)

    @Argument(
        help: ArgumentHelp("The name of a rule, such as unknown-key.", valueName: "rule"),
        completion: .rules)
    var rule: String?

    @Option(help: ArgumentHelp("The output format: text or json.", valueName: "format"))
    var format: ListFormat = .text

    func run() async throws {
        let invocation = Invocation.current()
        let style = invocation.outputStyle
        let chosen: Rule? = try rule.map { name in
            guard let rule = Rule.named(name) else { throw Refused.noSuchRule(name) }
            return rule
        }
        switch format {
        case .json:
            try Console.output(RulesJSON.text(chosen.map { [$0] } ?? Rule.all))
        case .text:
            let page = RulesText(style: style, width: Console.outputColumns)
            try Console.output(chosen.map(page.page) ?? page.list(), style: style)
        }
    }
}

extension Refused {
    static func noSuchRule(_ name: String) -> Refused {
        let near = NearestName.nearest(to: name, among: Rule.all.map(\.id))
        let question = near.map { "Did you mean \"\($0)\"? " } ?? ""
        return Refused("There is no rule \"\(name)\". \(question)`hubsend rules` lists all rules.")
    }
}
