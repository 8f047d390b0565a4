import ArgumentParser

struct Hubsend: AsyncParsableCommand {
    /// The version that `--version` prints and that the user agent contains.
    static let version = "0.1.0"

    static let userAgent = "hubsend/\(version)"

    static let configuration = CommandConfiguration(
        commandName: "hubsend",
        abstract: "Sends push campaigns that are defined in YAML files.",
        discussion: """
            A campaign is a YAML file that names people, platforms and a payload. hubsend checks \
            it, shows what would happen, stores the payload, sends silent pushes that contain only \
            its id through an Azure notification hub, and reports the outcome for every recipient.

            First steps:
              hubsend init campaigns
              hubsend validate campaigns
              hubsend preview campaigns/welcome.yaml
              hubsend run campaigns/welcome.yaml

            Manual pages: hubsend(1), hubsend-hub(1), hubsend-preview(1), hubsend-schema(1), hubsend-validate(1), \
            hubsend-serve(8), hubsend-worker(8), hubsend-campaign(5), hubsend-config(5), hubsend-plan(5), \
            hubsend-rules(7), hubsend-cron(7), hubsend-postgresql(7), hubsend-scaling(7), hubsend-security(7).
            """,
        version: "hubsend \(version)",
        subcommands: [
            ValidateCommand.self, PreviewCommand.self, RunCommand.self, ReportCommand.self,
            RunsCommand.self, ScheduleCommand.self, StopCommand.self, ResumeCommand.self,
            HubCommand.self, DeviceCommand.self, ServeCommand.self, WorkerCommand.self,
            PayloadCommand.self,
            StoreCommand.self, ExportCommand.self, ForgetCommand.self, DoctorCommand.self,
            SchemaCommand.self, RulesCommand.self, InitCommand.self, CompletionsCommand.self,
        ])
}
