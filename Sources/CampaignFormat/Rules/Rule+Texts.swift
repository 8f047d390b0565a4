extension RuleDescription {
    static let texts: [RuleDescription] = [
        RuleDescription(
            .invalidTemplate, .error, "A variable that is not written as one",
            why:
                "A variable is {{column}} or {{column|default}}; what is neither would be sent with its braces.",
            wrong: "payload: { text: \"Hi {{first_name|there}!\" }",
            right: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name|there}}" }
                """, beside: [loyalty])),
        RuleDescription(
            .variableWithoutValue, .error, "A variable that somebody has no value for",
            why:
                "Somebody would read an empty place in the middle of a sentence, or the name of a column.",
            wrong: "payload: { text: \"Hi {{first_name}}\" }",
            right: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name}}" }
                """, beside: [loyalty])),
        RuleDescription(
            .unknownVariable, .warning, "No audience file has a variable's column",
            why: "Everybody gets the default, which is hardly why the variable is there.",
            wrong: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{firstname|there}}" }
                """, beside: [loyalty]),
            right: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name|there}}" }
                """, beside: [loyalty])),
        RuleDescription(
            .lookAlikeVariable, .warning,
            "What other tools would fill in, and hubsend sends as it stands",
            why: "People would read {first_name} or %FNAME% instead of their names.",
            wrong: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {first_name}" }
                """, beside: [loyalty]),
            right: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name}}" }
                """, beside: [loyalty])),
        RuleDescription(
            .cutText, .warning, "A text that ends at a #",
            why:
                "In YAML a # behind a space begins a comment, so that people would read half of the sentence.",
            wrong: """
                payload:
                  text: You are our #1 customer
                """,
            right: "payload: { text: \"You are our #1 customer\" }"),
        RuleDescription(
            .invalidURL, .error, "An address that is not sent to devices",
            why: """
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
                """),
        RuleDescription(
            .unwritableCharacter, .error, "A character that a platform cannot carry",
            why: "A notification on Windows is XML, which has no way to write control characters.",
            wrong: """
                kind: alert
                platforms: [wns]
                payload: { message: "Hello\\u0007" }
                """,
            right: """
                kind: alert
                platforms: [wns]
                payload: { message: "Hello" }
                """),
        RuleDescription(
            .bodyTooLarge, .error, "A push that is larger than its platform takes",
            why: """
                Push services refuse a body that is too large. It is measured as it would be sent, with the values of the \
                person who needs the most bytes.
                """,
            wrong: RuleExample(
                "kind: alert\npayload: { message: \""
                    + String(repeating: "Come in and look around! ", count: 200) + "\" }"),
            right: """
                kind: alert
                payload: { message: "Come in and look around!" }
                """),
        RuleDescription(
            .longText, .hint, "A text that is longer than phones show",
            why: """
                Until somebody opens it, a notification shows a few lines: about 178 characters of a message on iPhones, 240 \
                on Android, 140 on Windows and 120 in browsers, and 50 to 65 of a title. Push services name no number; \
                these are what guides of push tools have measured.
                """,
            wrong: RuleExample(
                "kind: alert\npayload: { message: \""
                    + String(repeating: "Come in and look around! ", count: 12) + "\" }"),
            right: """
                kind: alert
                payload: { message: "Come in and look around!" }
                """),
        RuleDescription(
            .secureLeak, .error, "A push that would show what it keeps secret",
            why: """
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
                """),
        RuleDescription(
            .invalidLanguage, .error, "Not the tag of a language",
            why: """
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
                """),
    ]
}
