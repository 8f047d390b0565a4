// Preloaded to make a host's time of day wrong by CLOCK_SKEW seconds; monotonic clocks and their timers are not affected.
//
// faketime(1) would not work: it also moves absolute timers (timerfd) on the monotonic clock, so programs would wait for the whole skew.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

#define MOST_FILES 4096
static unsigned char is_on_time_of_day[MOST_FILES];

static time_t skew(void) {
    static time_t value;
    static int is_known;
    if (!is_known) {
        const char *text = getenv("CLOCK_SKEW");
        value = text ? atol(text) : 0;
        is_known = 1;
    }
    return value;
}

static int is_time_of_day(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (result == 0 && is_time_of_day(clock)) time->tv_sec += skew();
    return result;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    value->tv_sec = now.tv_sec;
    value->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}

int timerfd_create(clockid_t clock, int flags) {
    static int (*real)(clockid_t, int);
    if (!real) real = dlsym(RTLD_NEXT, "timerfd_create");
    int file = real(clock, flags);
    if (file >= 0 && file < MOST_FILES) is_on_time_of_day[file] = is_time_of_day(clock);
    return file;
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
    static int (*real)(int, int, const struct itimerspec *, struct itimerspec *);
    if (!real) real = dlsym(RTLD_NEXT, "timerfd_settime");
    struct itimerspec moved = *new;
    int is_set = new->it_value.tv_sec != 0 || new->it_value.tv_nsec != 0;
    if (is_set && (flags & TFD_TIMER_ABSTIME) && file < MOST_FILES && is_on_time_of_day[file]) moved.it_value.tv_sec -= skew();
    return real(file, flags, &moved, old);
}
