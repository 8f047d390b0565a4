/// The starter `rich` campaign: the same address for everybody.
enum RichTemplate {
    static func text(_ campaign: String) -> String {
        """
        # A rich push: it carries an id, a type and the message. The app shows the message, and fetches what a tap opens.
        # Nobody's name is in it, so all recipients share one stored payload.
        campaign: \(campaign)
        description: Greets the people of our pilot group
        kind: rich                       # secure | rich | alert
        platforms: [apns, fcm, wns]      # Apple, Google, Windows

        audience:
          # Who gets it, by the name that their devices have registered. Long lists go into files of their own.
          usernames: [alice, bob, carol, dan]

        payload:
          message: Welcome aboard! Tap to see what you can do.
          # A word that tells your app what it fetches, such as img, url or text.
          type: url
          # Or `file: images/welcome.png`, or `text:`.
          url: https://www.example.com/welcome
          # From the start of the run; then it can be fetched no longer.
          expires_after: 7d
          # title: Welcome
          # link: https://www.example.com/tour
          # placeholder: You have a new message

        delivery:
          # Requests a second to the hub.
          rate: 500/s
          # A run that goes wrong stops by itself, and says why.
          stop_when: { failed: 10%, after: 100 }

        """
    }
}
