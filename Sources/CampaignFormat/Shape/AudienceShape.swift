import CampaignCore

extension MappingShape {
    static let mostRecipients = 1_000_000_000

    static let audience = MappingShape([
        KeyShape(
            "usernames", .list(of: .text(.username), ListBounds()), examples: ["[alice, bob]"],
            isCampaignsOwn: true,
            "The names of people: 1 to 111 of the characters A-Z a-z 0-9 _ @ # . : -"),
        KeyShape(
            "files", title: "Audience files", files(file), examples: ["[audiences/loyalty.csv]"],
            isCampaignsOwn: true,
            "Files that name people: a text with a name a line, or a CSV table with a column username, whose other columns are variables."
        ),
        KeyShape(
            "runs", title: "People of earlier runs",
            .list(of: .mapping(.run), ListBounds(atMost: 100)),
            examples: ["[{ campaign: spring-sale, outcomes: [failed, unknown], fetched: false }]"],
            isCampaignsOwn: true, "The people of a campaign's last finished run."),
        KeyShape(
            "exclude", title: "Left out", .mapping(.exclusion),
            examples: ["{ files: [audiences/opted-out.txt] }"],
            "Who is left out, whoever named them. What the config's defaults leave out is always added."
        ),
        KeyShape(
            "min_recipients", title: "Fewest recipients", .integer(1...mostRecipients),
            examples: ["100"],
            "Refuses to send to fewer people than this, as an export that was cut short."),
        KeyShape(
            "max_recipients", title: "Most recipients", .integer(1...mostRecipients),
            examples: ["50000"], "Refuses to send to more people than this, as a mistake."),
        KeyShape(
            "language_column", .text(.column), examples: ["lang"],
            "The column of the audience files that holds each person's language, as a BCP 47 tag such as de or pt-BR."
        ),
    ])

    static let exclusion = MappingShape([
        KeyShape(
            "usernames", .list(of: .text(.username), ListBounds()), examples: ["[carol]"],
            "The names of people who are left out."),
        KeyShape(
            "files", title: "Exclusion files", files(excludedFile),
            examples: ["[audiences/opted-out.txt]"],
            "Files that name people who are left out. One that is missing or empty is an error, because a broken list of people who opted out must not reach them."
        ),
        KeyShape(
            "runs", title: "People of earlier runs",
            .list(of: .mapping(.excludedRun), ListBounds(atMost: 100)),
            examples: ["[{ campaign: spring-sale, outcomes: [accepted] }]"],
            "The people of a campaign's last finished run are left out. A campaign without a finished run is an error unless it is optional, because it is not known who they are."
        ),
        KeyShape(
            "allow_empty", title: "Exclusion files may be empty", .boolean, standard: "false",
            "Whether these files may be missing or empty."),
    ])

    /// A path, or a path with options.
    private static func files(_ file: MappingShape) -> ValueShape {
        .list(of: .oneOf([.text(.file), .mapping(file)]), ListBounds(isSet: true))
    }

    private static let file = MappingShape(fileKeys)
    private static let excludedFile = MappingShape(
        fileKeys.filter { $0.name != "on_bad_row" },
        refusals: [
            "on_bad_row":
                "A row that cannot be read may be somebody who opted out, so each has to be good; delete the key."
        ])

    private static let fileKeys =
        [
            KeyShape(
                "path", .text(.file), isRequired: true,
                examples: ["\"export:loyalty.csv\"", "audiences/loyalty.csv"],
                "The file, from the campaign's folder. With export: in front it lies in the folder HUBSEND_AUDIENCES, outside of the repository."
            )
        ] + AudienceFileOptions.fields.map(\.key)

    private static let run = MappingShape(runKeys)
    private static let excludedRun = MappingShape(
        runKeys + [
            KeyShape(
                "optional", title: "May not have run yet", .boolean, standard: "false",
                "Whether the campaign may have no finished run yet; then nobody is left out for it, and preview and run say so."
            )
        ])

    private static let runKeys: [KeyShape] = [
        KeyShape(
            "campaign", title: "Name", .text(.campaignName), isRequired: true,
            examples: ["spring-sale"],
            "The campaign whose last finished run it is, in the same store."),
        KeyShape(
            "outcomes",
            .list(
                of: .choice(.all(Outcome.self, \.facts.summary)), ListBounds(atLeast: 1)),
            examples: ["[failed, unknown]"],
            "Only people with a delivery that ended in one of these ways. Without it: all people of the run."
        ),
        KeyShape(
            "fetched", title: "Whether they fetched it", .boolean,
            "Only people who have fetched the payload (true), or have not on any platform (false)."),
    ]
}

extension AudienceFileOptions.BadRows {
    fileprivate var summary: String {
        switch self {
        case .refuse: "The campaign is refused until the row is fixed."
        case .skip: "The row is left out; such rows are counted and named."
        }
    }
}

extension AudienceFileOptions {
    static let fields: [Field<AudienceFileOptions>] = [
        KeyShape(
            "username_column", .text(.column), standard: "username", examples: ["User ID"],
            "The column of a CSV table that names people."
        ).into({ $0.column($1) }, { $0.usernameColumn = $1.value }),
        KeyShape(
            "max_age", title: "Greatest age", .duration(), examples: ["26h"],
            "Refuses a file that was last written longer ago than this, as an export that failed."
        ).into({ $0.duration($1) }, { $0.maximumAge = $1.value }),
        KeyShape(
            "on_bad_row", title: "What a bad row does", .choice(.all(BadRows.self, \.summary)),
            standard: BadRows.refuse.rawValue, "What happens when a row cannot be used."
        ).into({ $0.choice($1) }, { $0.badRows = $1.value }),
        KeyShape(
            "encoding", .choice(.all(TextEncoding.self, \.name)),
            standard: TextEncoding.utf8.rawValue, "How the file's letters are encoded."
        ).into({ $0.choice($1) }, { $0.encoding = $1.value }),
        KeyShape(
            "separator", .text(.separator), examples: ["semicolon"],
            "What stands between the cells of a CSV table: comma, semicolon or tab. Without it, what the header shows."
        ).into({ $0.value($1, CSVSeparator.parse) }, { $0.separator = $1.value }),
    ]
}
