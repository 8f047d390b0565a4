/// The starter `alert` campaign, which sends one line that anybody may read.
enum AlertTemplate {
    static func text(_ campaign: String) -> String {
        """
        # An alert: the push contains the message itself, and every device shows it at once. Nothing is stored or fetched, so
        # use it only for text that anybody may read.
        campaign: \(campaign)
        description: Announces tonight's maintenance to our own staff
        kind: alert
        platforms: [apns, fcm, wns]

        audience:
          # One name per line.
          files: [audiences/staff.txt]

        payload:
          message: The app is unavailable tonight from 22:00 to 22:30 for maintenance.
          # title: Maintenance
          # sound: default
          # The alert is useless tomorrow, so push services may drop it after this time.
          expires_after: 6h

        delivery:
          rate: 50/s
          finish_within: 1h

        """
    }
}
