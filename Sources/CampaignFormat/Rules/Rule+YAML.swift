extension Rule {
    static let syntax = Rule(
        "syntax", .error, "The file is not valid YAML",
        """
        A bracket, a quote or an indent is missing, so the meaning of the lines is not clear. The finding points to \
        where reading stopped; the mistake is often just before that position.
        """,
        wrong: "audience: { usernames: [alice, bob }",
        right: "audience: { usernames: [alice, bob] }")

    static let invalidCharacter = Rule(
        "invalid-character", .error, "A character that does not belong in a text file",
        """
        Control characters and invisible line separators are often copied along with text from a \
        document or a chat. Programs disagree on what these characters mean, so the text that is \
        sent could differ from the text that was reviewed.
        """,
        wrong: "payload: { text: \"Your statement\u{2028}is ready.\" }",
        right: "payload: { text: \"Your statement is ready.\" }")

    static let duplicateKey = Rule(
        "duplicate-key", .error, "A mapping has the same key twice",
        "Only one of the two can be used, and programs disagree on which one.",
        wrong: """
            description: Spring sale
            description: Summer sale
            """,
        right: "description: Spring sale")

    static let multipleDocuments = Rule(
        "multiple-documents", .error, "The file contains a second document",
        "A line of three hyphens begins another document, but a file can contain only one campaign.",
        wrong: """
            description: Spring sale
            ---
            description: Summer sale
            """,
        right: "description: Spring sale")

    static let tooDeep = Rule(
        "too-deep", .error, "Brackets are nested too deeply",
        "No campaign needs more than a few levels; deeper nesting is a mistake, or an attack on the program that reads the file.",
        wrong: RuleExample(
            "payload: " + String(repeating: "[", count: 70) + String(repeating: "]", count: 70)),
        right: "payload: { text: Hello }")

    static let tooManyNodes = Rule(
        "too-many-nodes", .error, "The file has too many values",
        """
        A campaign file with millions of values usually contains a list of people, which belongs \
        in an audience file.
        """,
        wrong: "audience: { usernames: [user-1, user-2, user-3] } # and two million more",
        right: RuleExample(
            "audience: { files: [audiences/loyalty.csv] }",
            with: ["audiences/loyalty.csv": "username\nuser-1\n"]))

    static let tooMuchExpansion = Rule(
        "too-much-expansion", .error, "Aliases expand to too many values",
        "A few lines of aliases can expand to billions of values and fill the memory of the program that reads them.",
        wrong: """
            a: &a [x, x, x, x, x, x, x, x, x, x]
            b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
            c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
            d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
            e: [*d, *d]
            """,
        right: "audience: { usernames: [alice, bob] }")

    static let unknownAlias = Rule(
        "unknown-alias", .error, "An alias without an anchor above it",
        "In YAML, unquoted text that begins with * is an alias, which repeats the value with that anchor.",
        wrong: "description: *sale", right: "description: \"*sale\"")

    static let recursiveAlias = Rule(
        "recursive-alias", .error, "An alias inside the value that it refers to",
        "The value would contain itself endlessly.",
        wrong: "audience: &people { usernames: [alice], exclude: *people }",
        right: "audience: { usernames: [alice] }")

    static let complexKey = Rule(
        "complex-key", .error, "A list or a mapping where a key is expected",
        "The usual cause is text that begins with a variable: without quotes, YAML reads the braces as a mapping.",
        wrong: """
            payload:
              text: {{first_name}}, look at this!
            """,
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload:
              text: "{{first_name}}, look at this!"
            """, with: RuleExample.loyalty))

    static let mergeKey = Rule(
        "merge-key", .error, "Merge keys are not part of YAML 1.2",
        "Programs disagree on what << means, so a reviewer and hubsend could read different campaigns.",
        wrong: """
            delivery:
              <<: { rate: 100/s }
            """,
        right: """
            delivery:
              rate: 100/s
            """)

    static let unsupportedTag = Rule(
        "unsupported-tag", .error, "A tag that is not in the core schema",
        "In YAML, unquoted text that begins with ! is a tag, which sets the type of the value after it.",
        wrong: "description: !important sale", right: "description: \"!important sale\"")

    static let unsupportedDirective = Rule(
        "unsupported-directive", .error, "A line that begins with % is an unknown directive",
        "Directives change how the rest of a file is read; only %YAML 1.1 and %YAML 1.2 are supported.",
        wrong: "%TAG ! tag:example.org,2026:\n---", right: "%YAML 1.2\n---")
}
