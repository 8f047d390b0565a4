import ArgumentParser
import CampaignFormat

struct SchemaCommand: AsyncParsableCommand {
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case campaign, config, devices, faults

        var shape: FileShape {
            switch self {
            case .campaign: .campaign
            case .config: .config
            case .devices: .devices
            case .faults: .faults
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Prints the JSON Schema of a kind of file, for editors.",
        discussion: """
            With it, an editor completes keys and values, explains them, and marks errors as you type. Save it next to the \
            campaigns,
              hubsend schema campaign > campaigns/campaign.schema.json
            and begin each campaign with the line
              # yaml-language-server: $schema=campaign.schema.json
            It is a draft 2020-12 schema and covers only a single file; `hubsend validate` checks more.
            """)

    @Argument(
        help: ArgumentHelp(
            "The kind of file: campaign, config, devices or faults.", valueName: "kind"))
    var kind: Kind

    func run() async throws {
        try Console.output(JSONSchema(kind.shape).text)
    }
}
