/// The starter `secure` campaign, which sends personal texts with values from a table.
enum SecureTemplate {
    static func text(_ campaign: String) -> String {
        """
        # A secure push contains only an id; the app fetches the text after the person has signed in.
        # The text has variables, so each recipient gets a separate stored payload.
        campaign: \(campaign)
        description: Tells customers that their monthly statement is ready
        kind: secure
        platforms: [apns, fcm]

        audience:
          # A table with a `username` column; its other columns are variables.
          files: [audiences/customers.csv]
          exclude:
            # A missing or empty exclusion file is an error, so nobody gets a push by accident.
            files: [audiences/opted-out.txt]
          # A truncated or wrong export is refused before anything is sent.
          min_recipients: 3
          max_recipients: 1000

        payload:
          # The word after the bar is for people without a first name. Text that begins with {{ must
          # be quoted.
          text: "{{first_name|Hello}}, your statement for {{month}} is ready."
          expires_after: 7d
          # placeholder: You have a new message

        delivery:
          # The maximum number of pushes to one person, across all campaigns.
          frequency_cap: { pushes: 3, per: 1h }

        """
    }
}
