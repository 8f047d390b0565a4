extension Rule {
    static let invalidTemplate = Rule(
        "invalid-template", .error, "A variable that is not written as one",
        "A variable is {{column}} or {{column|default}}; what is neither would be sent with its braces.",
        wrong: "payload: { text: \"Hi {{first_name|there}!\" }",
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name|there}}" }
            """, beside: RuleExample.loyalty))

    static let variableWithoutValue = Rule(
        "variable-without-value", .error, "A variable that somebody has no value for",
        "Somebody would read an empty place in the middle of a sentence, or the name of a column.",
        wrong: "payload: { text: \"Hi {{first_name}}\" }",
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            """, beside: RuleExample.loyalty))

    static let unknownVariable = Rule(
        "unknown-variable", .warning, "No audience file has a variable's column",
        "Everybody gets the default, which is hardly why the variable is there.",
        wrong: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{firstname|there}}" }
            """, beside: RuleExample.loyalty),
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name|there}}" }
            """, beside: RuleExample.loyalty))

    static let lookAlikeVariable = Rule(
        "look-alike-variable", .warning,
        "What other tools would fill in, and hubsend sends as it stands",
        "People would read {first_name} or %FNAME% instead of their names.",
        wrong: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {first_name}" }
            """, beside: RuleExample.loyalty),
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            """, beside: RuleExample.loyalty))

    static let cutText = Rule(
        "cut-text", .warning, "A text that ends at a #",
        "In YAML a # behind a space begins a comment, so that people would read half of the sentence.",
        wrong: """
            payload:
              text: You are our #1 customer
            """,
        right: "payload: { text: \"You are our #1 customer\" }")

    static let invalidURL = Rule(
        "invalid-url", .error, "An address that is not sent to devices",
        """
        Only https is opened, and the schemes of apps that "limits.url_schemes" of the config allows; an address \
        with a password in it, or one that runs a script, is refused.
        """,
        wrong: """
            kind: rich
            payload: { message: Look, type: url, url: "http://shop.example/sale" }
            """,
        right: """
            kind: rich
            payload: { message: Look, type: url, url: "https://shop.example/sale" }
            """)

    static let unwritableCharacter = Rule(
        "unwritable-character", .error, "A character that a platform cannot carry",
        "A notification on Windows is XML, which has no way to write control characters.",
        wrong: """
            kind: alert
            platforms: [wns]
            payload: { message: "Hello\\u0007" }
            """,
        right: """
            kind: alert
            platforms: [wns]
            payload: { message: "Hello" }
            """)

    static let bodyTooLarge = Rule(
        "body-too-large", .error, "A push that is larger than its platform takes",
        """
        Push services refuse a body that is too large. It is measured as it would be sent, with the values of the \
        person who needs the most bytes.
        """,
        wrong: RuleExample(
            "kind: alert\npayload: { message: \""
                + String(repeating: "Come in and look around! ", count: 200) + "\" }"),
        right: """
            kind: alert
            payload: { message: "Come in and look around!" }
            """)

    static let secureLeak = Rule(
        "secure-leak", .error, "A push that would show what it keeps secret",
        """
        A secure push holds an id only, so that neither the hub nor Apple, Google and Microsoft learn what it is \
        about. A text that is shown without being fetched must be the same for all. That goes for the placeholder \
        of a rich push, too, unless "private_message: false" says that it may hold values.
        """,
        wrong: """
            payload:
              text: Your results are here.
              placeholder: "{{first_name|You}}: your results are here"
            """,
        right: """
            payload:
              text: Your results are here.
              placeholder: You have a new message
            """)

    static let invalidLanguage = Rule(
        "invalid-language", .error, "Not the tag of a language",
        """
        Languages are named by tags such as de or pt-BR (BCP 47). A text under anything else would be read by \
        nobody. A tag that looks right and is of no language is a warning.
        """,
        wrong: """
            kind: alert
            payload:
              message: { default: Hello!, de_DE: Hallo! }
            """,
        right: """
            kind: alert
            payload:
              message: { default: Hello!, de-DE: Hallo! }
            """)
}
