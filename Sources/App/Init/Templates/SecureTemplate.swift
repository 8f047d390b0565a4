/// The starter `secure` campaign: a personal text from a table.
enum SecureTemplate {
    static func text(_ campaign: String) -> String {
        """
        # A secure push: it carries nothing but an id, and the app fetches the text after the person has signed in.
        # The text has variables, so everybody gets a stored payload of their own.
        campaign: \(campaign)
        description: Tells customers that their monthly statement can be read
        kind: secure
        platforms: [apns, fcm]

        audience:
          # A table with the column `username`; its other columns are variables.
          files: [audiences/customers.csv]
          exclude:
            # A missing or empty file is an error here, so that nobody is sent to by accident.
            files: [audiences/opted-out.txt]
          # An export that was cut off, or somebody else's, is refused before anything is sent.
          min_recipients: 3
          max_recipients: 1000

        payload:
          # What stands behind the bar is for people whose first name is not known. A text that begins with {{ needs quotes.
          text: "{{first_name|Hello}}, your statement for {{month}} is ready."
          expires_after: 7d
          # placeholder: You have a new message

        delivery:
          # At most so many pushes to a person, over all campaigns.
          frequency_cap: { pushes: 3, per: 1h }

        """
    }
}
