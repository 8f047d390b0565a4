/// The starter `rich` campaign, which sends the same link to everybody.
enum RichTemplate {
    static func text(_ campaign: String) -> String {
        """
        # A rich push contains an id, a type and the message. The app shows the message, and fetches
        # the content that a tap opens.
        # The text has no variables, so all recipients share one stored payload.
        campaign: \(campaign)
        description: Greets the people in our pilot group
        kind: rich                       # secure | rich | alert
        platforms: [apns, fcm, wns]      # Apple, Google, Windows

        audience:
          # The recipients, by the usernames that their devices registered with. Put long lists in
          # files.
          usernames: [alice, bob, carol, dan]

        payload:
          message: Welcome aboard! Tap to see what you can do.
          # A word that tells your app what to expect, such as img, url or text.
          type: url
          # Or `file: images/welcome.png`, or `text:`.
          url: https://www.example.com/welcome
          # How long devices can fetch the payload, counted from the start of the run.
          expires_after: 7d
          # title: Welcome
          # link: https://www.example.com/tour
          # placeholder: You have a new message

        delivery:
          # Requests per second to the hub.
          rate: 500/s
          # Stop the run if too many pushes fail.
          stop_when: { failed: 10%, after: 100 }

        """
    }
}
