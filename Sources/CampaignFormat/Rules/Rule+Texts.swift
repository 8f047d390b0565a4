extension Rule {
    static let invalidTemplate = Rule(
        "invalid-template", .error, "A variable that is not written correctly",
        """
        A variable is written as {{column}} or {{column|default}}; anything else would be sent with its braces.
        """,
        wrong: "payload: { text: \"Hi {{first_name|there}!\" }",
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name|there}}" }
            """, with: RuleExample.loyalty))

    static let variableWithoutValue = Rule(
        "variable-without-value", .error, "A variable for which somebody has no value",
        "That person would read a sentence with a gap, or the name of a column.",
        wrong: "payload: { text: \"Hi {{first_name}}\" }",
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            """, with: RuleExample.loyalty))

    static let unknownVariable = Rule(
        "unknown-variable", .warning, "A variable names a column that no audience file has",
        "Everybody would get the default; the variable's name is probably a typo.",
        wrong: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{firstname|there}}" }
            """, with: RuleExample.loyalty),
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name|there}}" }
            """, with: RuleExample.loyalty))

    static let lookAlikeVariable = Rule(
        "look-alike-variable", .warning,
        "A placeholder of another tool, which hubsend sends literally",
        "People would read {first_name} or %FNAME% instead of their names.",
        wrong: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {first_name}" }
            """, with: RuleExample.loyalty),
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            """, with: RuleExample.loyalty))

    static let cutText = Rule(
        "cut-text", .warning, "Text that ends at a #",
        "In YAML, a # after a space starts a comment, so people would read only half of the sentence.",
        wrong: """
            payload:
              text: You are our #1 customer
            """,
        right: "payload: { text: \"You are our #1 customer\" }")

    static let invalidURL = Rule(
        "invalid-url", .error, "An address that devices must not open",
        """
        Addresses must use https, or an app's scheme that "limits.url_schemes" in the config \
        allows. An address that contains a password or runs a script is refused.
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
        "unwritable-character", .error, "A character that a platform does not support",
        "Notifications on Windows are XML, which cannot represent control characters.",
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
        "body-too-large", .error, "A push that is larger than its platform allows",
        """
        Push services refuse a body that is too large. The body is measured as it would be sent, \
        with the values that make it largest.
        """,
        wrong: RuleExample(
            "kind: alert\npayload: { message: \""
                + String(repeating: "Come in and look around! ", count: 200) + "\" }"),
        right: """
            kind: alert
            payload: { message: "Come in and look around!" }
            """)

    static let secureLeak = Rule(
        "secure-leak", .error, "A push that would show secret content",
        """
        A secure push contains only an id, so that neither the hub nor Apple, Google or Microsoft learns what it is \
        about. Text that is shown without being fetched must be the same for everybody. The same applies to the \
        placeholder of a rich push, unless "private_message: false" allows personal values in it.
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
        "invalid-language", .error, "Not a language tag",
        """
        Languages are named by tags such as de or pt-BR (BCP 47). Nobody would ever see text under \
        any other key. A well-formed tag that belongs to no language produces a warning.
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
