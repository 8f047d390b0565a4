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
            "Files that list people: a text file with one name per line, or a CSV table with a column username, whose other columns are variables."
        ),
        KeyShape(
            "runs", title: "People of earlier runs",
            .list(of: .mapping(.run), ListBounds(atMost: 100)),
            examples: ["[{ campaign: spring-sale, outcomes: [failed, unknown], fetched: false }]"],
            isCampaignsOwn: true, "The people of a campaign's last finished run."),
        KeyShape(
            "exclude", title: "Exclusions", .mapping(.exclusion),
            examples: ["{ files: [audiences/opted-out.txt] }"],
            "People to exclude, no matter how they were added. The exclusions in the config's defaults always apply as well."
        ),
        KeyShape(
            "min_recipients", title: "Minimum recipients", .integer(1...mostRecipients),
            examples: ["100"],
            "Refuses to send to fewer people than this, for example if an export was cut short."
        ),
        KeyShape(
            "max_recipients", title: "Maximum recipients", .integer(1...mostRecipients),
            examples: ["50000"],
            "Refuses to send to more people than this, for example if a list is wrong."),
        KeyShape(
            "language_column", .text(.column), examples: ["lang"],
            "The column of the audience files that contains each person's language, as a BCP 47 tag such as de or pt-BR."
        ),
    ])

    static let exclusion = MappingShape([
        KeyShape(
            "usernames", .list(of: .text(.username), ListBounds()), examples: ["[carol]"],
            "The names of people to exclude."),
        KeyShape(
            "files", title: "Exclusion files", files(excludedFile),
            examples: ["[audiences/opted-out.txt]"],
            "Files that list people to exclude. A file that is missing or empty is an error, because people who opted out must not get the push if their list is broken."
        ),
        KeyShape(
            "runs", title: "People of earlier runs",
            .list(of: .mapping(.excludedRun), ListBounds(atMost: 100)),
            examples: ["[{ campaign: spring-sale, outcomes: [accepted] }]"],
            "Excludes the people of a campaign's last finished run. If the campaign has no finished run, that is an error, unless the entry is optional."
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
                "An unusable row may belong to somebody who opted out, so every row must be valid; delete the key."
        ])

    private static let fileKeys =
        [
            KeyShape(
                "path", .text(.file), isRequired: true,
                examples: ["\"export:loyalty.csv\"", "audiences/loyalty.csv"],
                "The file, relative to the campaign's folder. A path that begins with export: is relative to the folder HUBSEND_AUDIENCES, outside the repository."
            )
        ] + AudienceFileOptions.fields.map(\.key)

    private static let run = MappingShape(runKeys)
    private static let excludedRun = MappingShape(
        runKeys + [
            KeyShape(
                "optional", title: "May not have run yet", .boolean, standard: "false",
                "Whether the campaign is allowed to have no finished run yet; the entry then excludes nobody, and preview and run report it."
            )
        ])

    private static let runKeys: [KeyShape] = [
        KeyShape(
            "campaign", title: "Name", .text(.campaignName), isRequired: true,
            examples: ["spring-sale"],
            "The campaign whose last finished run in the same store is used."),
        KeyShape(
            "outcomes",
            .list(
                of: .choice(.all(Outcome.self, \.facts.summary)), ListBounds(atLeast: 1)),
            examples: ["[failed, unknown]"],
            "Only people with a delivery that ended with one of these outcomes. By default, all people of the run."
        ),
        KeyShape(
            "fetched", title: "Whether the payload was fetched", .boolean,
            "Only people who have fetched the payload (true), or who have not fetched it on any platform (false)."
        ),
    ]
}

extension AudienceFileOptions.BadRows {
    fileprivate var summary: String {
        switch self {
        case .refuse: "The campaign is refused until the row is fixed."
        case .skip: "The row is skipped; skipped rows are counted and listed."
        }
    }
}

extension AudienceFileOptions {
    static let fields: [Field<AudienceFileOptions>] = [
        KeyShape(
            "username_column", .text(.column), standard: "username", examples: ["User ID"],
            "The column of a CSV table that contains the usernames."
        ).into({ $0.column($1) }, { $0.usernameColumn = $1.value }),
        KeyShape(
            "max_age", title: "Maximum age", .duration(), examples: ["26h"],
            "Refuses a file that was last written longer ago than this, for example if an export failed."
        ).into({ $0.duration($1) }, { $0.maximumAge = $1.value }),
        KeyShape(
            "on_bad_row", title: "Unusable rows", .choice(.all(BadRows.self, \.summary)),
            standard: BadRows.refuse.rawValue, "What happens when a row cannot be used."
        ).into({ $0.choice($1) }, { $0.badRows = $1.value }),
        KeyShape(
            "encoding", .choice(.all(TextEncoding.self, \.name)),
            standard: TextEncoding.utf8.rawValue, "The character encoding of the file."
        ).into({ $0.choice($1) }, { $0.encoding = $1.value }),
        KeyShape(
            "separator", .text(.separator), examples: ["semicolon"],
            "The separator between the cells of a CSV table: comma, semicolon or tab. By default, it is detected from the header."
        ).into({ $0.value($1, CSVSeparator.parse) }, { $0.separator = $1.value }),
    ]
}
