import CampaignCore

/// The array of `hubsend schedule --format json`, one object per campaign.
struct ScheduleJSON: JSONLine {
    private enum Key: String, CodingKey {
        case campaign, file, cron, at
        case timeZone = "time_zone"
        case startDeadline = "start_deadline"
        case occurrences
        case sentEarly = "sent_early"
        case local, utc
    }

    private let schedules: [CampaignSchedule]

    init(_ schedules: [CampaignSchedule]) {
        self.schedules = schedules
    }

    func encode(to encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        for schedule in schedules {
            var object = array.nestedContainer(keyedBy: Key.self)
            try object.encode(schedule.campaign, forKey: .campaign)
            try object.encode(schedule.path, forKey: .file)
            switch schedule.schedule.times {
            case .cron(let cron): try object.encode(cron.text, forKey: .cron)
            case .at(let moment): try object.encode(moment.description, forKey: .at)
            }
            try object.encode(schedule.schedule.zone.name, forKey: .timeZone)
            try object.encode(
                schedule.schedule.startDeadline.components.seconds, forKey: .startDeadline)
            try object.encodeIfPresent(
                schedule.sentEarly.map(UTCTime.text), forKey: .sentEarly)
            var occurrences = object.nestedUnkeyedContainer(forKey: .occurrences)
            for date in schedule.coming {
                var occurrence = occurrences.nestedContainer(keyedBy: Key.self)
                let local = schedule.local(date)
                try occurrence.encode(local.time + local.offset, forKey: .local)
                try occurrence.encode(UTCTime.text(date), forKey: .utc)
            }
        }
    }
}
