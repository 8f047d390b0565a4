import YAMLSyntax

extension RuleDescription {
    static let yaml: [RuleDescription] = [
        RuleDescription(
            yaml: .syntax, "The text is not YAML",
            why: """
                A bracket, a quote or an indent is missing somewhere, so that nobody can say what the lines mean. The place \
                is where reading stopped; the slip is often just before it.
                """,
            wrong: "audience: { usernames: [alice, bob }",
            right: "audience: { usernames: [alice, bob] }"),
        RuleDescription(
            yaml: .invalidCharacter, "A character that does not belong into a text file",
            why: """
                Control characters and invisible line separators come along when text is copied from a document or a chat. \
                Programs disagree on what they mean, so that one would send another text than the one that was reviewed.
                """,
            wrong: "payload: { text: \"Your statement\u{2028}is ready.\" }",
            right: "payload: { text: \"Your statement is ready.\" }"),
        RuleDescription(
            yaml: .duplicateKey, "A mapping has the same key twice",
            why: "Only one of the two can count, and programs disagree on which.",
            wrong: """
                description: Spring sale
                description: Summer sale
                """,
            right: "description: Spring sale"),
        RuleDescription(
            yaml: .multipleDocuments, "The file holds a second document",
            why: "A line of three hyphens begins another document; one file is one campaign.",
            wrong: """
                description: Spring sale
                ---
                description: Summer sale
                """,
            right: "description: Spring sale"),
        RuleDescription(
            yaml: .tooDeep, "Brackets are nested too deep",
            why:
                "No campaign needs more than a few levels; deeper ones are slips, or attacks on the program that reads the file.",
            wrong: RuleExample(
                "payload: " + String(repeating: "[", count: 70) + String(repeating: "]", count: 70)),
            right: "payload: { text: Hello }"),
        RuleDescription(
            yaml: .tooManyNodes, "The file has too many values",
            why: "A campaign file of millions of values is a list of people in the wrong place.",
            wrong: "audience: { usernames: [user-1, user-2, user-3] } # and two million more",
            right: RuleExample(
                "audience: { files: [audiences/loyalty.csv] }",
                beside: [RuleExample.Neighbour("audiences/loyalty.csv", "username\nuser-1\n")])),
        RuleDescription(
            yaml: .tooMuchExpansion, "Aliases stand for too many values",
            why:
                "A few lines of aliases can stand for billions of values, and fill the memory of the program that reads them.",
            wrong: """
                a: &a [x, x, x, x, x, x, x, x, x, x]
                b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
                c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
                d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
                e: [*d, *d]
                """,
            right: "audience: { usernames: [alice, bob] }"),
        RuleDescription(
            yaml: .unknownAlias, "An alias names no anchor above it",
            why:
                "A plain text that begins with * is an alias in YAML, which stands for a value with that anchor.",
            wrong: "description: *sale", right: "description: \"*sale\""),
        RuleDescription(
            yaml: .recursiveAlias, "An alias stands inside the value that it names",
            why: "The value would contain itself without end.",
            wrong: "audience: &people { usernames: [alice], exclude: *people }",
            right: "audience: { usernames: [alice] }"),
        RuleDescription(
            yaml: .complexKey, "A list or a mapping stands where a key is expected",
            why:
                "Most often it is a text that begins with a variable: without quotes YAML takes its braces for a mapping.",
            wrong: """
                payload:
                  text: {{first_name}}, look at this!
                """,
            right: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload:
                  text: "{{first_name}}, look at this!"
                """, beside: [loyalty])),
        RuleDescription(
            yaml: .mergeKey, "Merge keys are not part of YAML 1.2",
            why:
                "Programs disagree on what << means, so that a reviewer and hubsend could read two campaigns.",
            wrong: """
                delivery:
                  <<: { rate: 100/s }
                """,
            right: """
                delivery:
                  rate: 100/s
                """),
        RuleDescription(
            yaml: .unsupportedTag, "A tag that is not of the core schema",
            why:
                "A plain text that begins with ! is a tag in YAML, which says of what type the value behind it is.",
            wrong: "description: !important sale", right: "description: \"!important sale\""),
        RuleDescription(
            yaml: .unsupportedDirective, "A line that begins with % is an unknown directive",
            why:
                "Directives change how the rest of a file is read; only %YAML 1.1 and %YAML 1.2 are known.",
            wrong: "%TAG ! tag:example.org,2026:\n---", right: "%YAML 1.2\n---"),
    ]
}
