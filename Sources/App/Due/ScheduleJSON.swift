import CampaignCore

/// The array that `hubsend schedule --format json` prints, with one object per campaign.
enum ScheduleJSON {
    static func list(_ schedules: [CampaignSchedule]) -> [JSONObject] { schedules.map(object) }

    private static func object(_ schedule: CampaignSchedule) -> JSONObject {
        let times: JSONObject =
            switch schedule.schedule.times {
            case .cron(let cron): ["cron": cron.text]
            case .at(let moment): ["at": moment.description]
            }
        let early: JSONObject = ["sent_early": schedule.sentEarly.map(UTCTime.text)]
        return times + early.withoutNulls + [
            "campaign": schedule.campaign, "file": schedule.path,
            "time_zone": schedule.schedule.zone.name,
            "start_deadline": schedule.schedule.startDeadline.components.seconds,
            "occurrences": schedule.upcoming.map { date in
                let local = schedule.local(date)
                return ["local": local.time + local.offset, "utc": UTCTime.text(date)]
            },
        ]
    }
}
