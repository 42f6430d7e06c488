/* Values of C++: one pair of functions for each type whose header the fragment includes. */

#include <cxxabi.h>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>

template <class T> static T *ct_new() {
    if constexpr (std::is_default_constructible<T>::value) return new T();
    else return (T *)ct_array(sizeof(T), alignof(T));
}

template <class T> static typename std::enable_if<std::is_arithmetic<T>::value || std::is_enum<T>::value>::type ct_get(T &one) {
    if constexpr (std::is_floating_point<T>::value) one = (T)ct_float();
    else if constexpr (std::is_unsigned<T>::value) one = (T)ct_unsigned();
    else one = (T)ct_int();
}
template <class T> static typename std::enable_if<std::is_arithmetic<T>::value || std::is_enum<T>::value>::type ct_put(const T &one) {
    if constexpr (std::is_same<T, bool>::value) ct_put_bool(one);
    else if constexpr (std::is_same<T, char>::value) ct_put_char(one);
    else if constexpr (std::is_floating_point<T>::value) ct_put_float((double)one);
    else if constexpr (std::is_unsigned<T>::value) ct_put_unsigned((unsigned long long)one);
    else ct_put_int((long long)one);
}
template <class T> static typename std::enable_if<std::is_pointer<T>::value>::type ct_put(const T &one) {
    if constexpr (std::is_same<T, char *>::value || std::is_same<T, const char *>::value) ct_put_text(one);
    else if constexpr (std::is_class<typename std::remove_pointer<T>::type>::value) {
        if (one) ct_put(*one); else ct_raw("null");
    } else ct_raw(one ? "{\"opaque\":\"pointer\"}" : "null");
}
template <class A, class B> static void ct_get(std::pair<A, B> &);
template <class A, class B> static void ct_put(const std::pair<A, B> &);

#ifdef _GLIBCXX_STRING
static inline void ct_get(std::string &one) {
    __SIZE_TYPE__ length = 0;
    const char *text = ct_text(0, &length);
    one.assign(text ? text : "", length);
}
static inline void ct_put(const std::string &one) { ct_put_bytes(one.data(), one.size()); }
#endif
#if defined(_GLIBCXX_STRING_VIEW) && __cplusplus >= 201703L
static inline void ct_get(std::string_view &one) {
    __SIZE_TYPE__ length = 0;
    const char *text = ct_text(0, &length);
    one = std::string_view(text ? text : "", length);
}
static inline void ct_put(const std::string_view &one) { ct_put_bytes(one.data(), one.size()); }
#endif

#define CT_SEQUENCE(name) \
    template <class... T> static void ct_get(std::name<T...> &all); \
    template <class... T> static void ct_put(const std::name<T...> &all);
#ifdef _GLIBCXX_VECTOR
CT_SEQUENCE(vector)
static inline void ct_get(std::vector<bool> &);
static inline void ct_put(const std::vector<bool> &);
#endif
#ifdef _GLIBCXX_DEQUE
CT_SEQUENCE(deque)
#endif
#ifdef _GLIBCXX_LIST
CT_SEQUENCE(list)
#endif
#ifdef _GLIBCXX_SET
CT_SEQUENCE(set)
CT_SEQUENCE(multiset)
#endif
#ifdef _GLIBCXX_MAP
CT_SEQUENCE(map)
#endif
#ifdef _GLIBCXX_UNORDERED_MAP
CT_SEQUENCE(unordered_map)
#endif
#ifdef _GLIBCXX_UNORDERED_SET
CT_SEQUENCE(unordered_set)
#endif
#ifdef _GLIBCXX_STACK
CT_SEQUENCE(stack)
#endif
#ifdef _GLIBCXX_QUEUE
CT_SEQUENCE(queue)
CT_SEQUENCE(priority_queue)
#endif
#ifdef _GLIBCXX_TUPLE
CT_SEQUENCE(tuple)
#endif
#if defined(_GLIBCXX_OPTIONAL) && __cplusplus >= 201703L
CT_SEQUENCE(optional)
#endif
#ifdef _UNIQUE_PTR_H
template <class T, class D> static void ct_put(const std::unique_ptr<T, D> &);
#endif
#ifdef _SHARED_PTR_H
template <class T> static void ct_put(const std::shared_ptr<T> &);
#endif
#ifdef _GLIBCXX_ARRAY
template <class T, __SIZE_TYPE__ N> static void ct_get(std::array<T, N> &);
template <class T, __SIZE_TYPE__ N> static void ct_put(const std::array<T, N> &);
#endif

template <class C> static void ct_put_all(const C &all, const char *head) {
    bool first = true;
    if (all.size() > 100000) {
        ct_raw("{\"cut\":\"list\"}");
        return;
    }
    ct_raw(head);
    for (const auto &one : all) {
        if (!first) ct_raw(",");
        first = false;
        ct_put(one);
    }
    ct_raw("]}");
}
template <class C> static void ct_put_entries(const C &all) {
    bool first = true;
    ct_raw("{\"map\":[");
    for (const auto &one : all) {
        ct_raw(first ? "[" : ",[");
        first = false;
        ct_put(one.first);
        ct_raw(",");
        ct_put(one.second);
        ct_raw("]");
    }
    ct_raw("]}");
}
template <class C> static void ct_get_back(C &all) {
    for (unsigned long long count = ct_unsigned(); count; count--) {
        typename C::value_type one{};
        ct_get(one);
        all.push_back(std::move(one));
    }
}
template <class C> static void ct_get_inserted(C &all) {
    for (unsigned long long count = ct_unsigned(); count; count--) {
        typename C::value_type one{};
        ct_get(one);
        all.insert(std::move(one));
    }
}
template <class C> static void ct_get_entries(C &all) {
    for (unsigned long long count = ct_unsigned(); count; count--) {
        typename C::key_type key{};
        ct_get(key);
        ct_get(all[key]);
    }
}

#define CT_BACK(name) \
    template <class... T> static void ct_get(std::name<T...> &all) { ct_get_back(all); } \
    template <class... T> static void ct_put(const std::name<T...> &all) { ct_put_all(all, "{\"list\":["); }
#define CT_INSERTED(name, head) \
    template <class... T> static void ct_get(std::name<T...> &all) { ct_get_inserted(all); } \
    template <class... T> static void ct_put(const std::name<T...> &all) { ct_put_all(all, head); }
#define CT_ENTRIES(name) \
    template <class... T> static void ct_get(std::name<T...> &all) { ct_get_entries(all); } \
    template <class... T> static void ct_put(const std::name<T...> &all) { ct_put_entries(all); }
/* What can be looked at from one end only: a copy is emptied. */
#define CT_EMPTIED(name, end) \
    template <class... T> static void ct_get(std::name<T...> &all) { \
        for (unsigned long long count = ct_unsigned(); count; count--) { \
            typename std::name<T...>::value_type one{}; \
            ct_get(one); \
            all.push(std::move(one)); \
        } \
    } \
    template <class... T> static void ct_put(const std::name<T...> &all) { \
        std::name<T...> copy(all); \
        ct_raw("{\"list\":["); \
        for (bool first = true; !copy.empty(); first = false, copy.pop()) { \
            if (!first) ct_raw(","); \
            ct_put(copy.end()); \
        } \
        ct_raw("]}"); \
    }

#ifdef _GLIBCXX_VECTOR
CT_BACK(vector)
static inline void ct_get(std::vector<bool> &all) {
    for (unsigned long long count = ct_unsigned(); count; count--) all.push_back(ct_int() != 0);
}
static inline void ct_put(const std::vector<bool> &all) {
    if (all.size() > 100000) {
        ct_raw("{\"cut\":\"list\"}");
        return;
    }
    ct_raw("{\"list\":[");
    for (__SIZE_TYPE__ at = 0; at < all.size(); at++) {
        if (at) ct_raw(",");
        ct_put_bool(all[at]);
    }
    ct_raw("]}");
}
#endif
#ifdef _GLIBCXX_DEQUE
CT_BACK(deque)
#endif
#ifdef _GLIBCXX_LIST
CT_BACK(list)
#endif
#ifdef _GLIBCXX_SET
CT_INSERTED(set, "{\"set\":[")
CT_INSERTED(multiset, "{\"list\":[")
#endif
#ifdef _GLIBCXX_MAP
CT_ENTRIES(map)
#endif
#ifdef _GLIBCXX_UNORDERED_MAP
CT_ENTRIES(unordered_map)
#endif
#ifdef _GLIBCXX_UNORDERED_SET
CT_INSERTED(unordered_set, "{\"set\":[")
#endif
#ifdef _GLIBCXX_STACK
CT_EMPTIED(stack, top)
#endif
#ifdef _GLIBCXX_QUEUE
CT_EMPTIED(queue, front)
CT_EMPTIED(priority_queue, top)
#endif
#if defined(_GLIBCXX_OPTIONAL) && __cplusplus >= 201703L
template <class... T> static void ct_get(std::optional<T...> &one) {
    if (ct_some()) {
        one.emplace();
        ct_get(*one);
    }
}
template <class... T> static void ct_put(const std::optional<T...> &one) {
    if (one) ct_put(*one);
    else ct_raw("null");
}
#endif
#ifdef _UNIQUE_PTR_H
template <class T, class D> static void ct_put(const std::unique_ptr<T, D> &one) {
    if (one) ct_put(*one);
    else ct_raw("null");
}
#endif
#ifdef _SHARED_PTR_H
template <class T> static void ct_put(const std::shared_ptr<T> &one) {
    if (one) ct_put(*one);
    else ct_raw("null");
}
#endif
#ifdef _GLIBCXX_TUPLE
template <class... T> static void ct_get(std::tuple<T...> &all) {
    std::apply([](auto &...one) { (ct_get(one), ...); }, all);
}
template <class... T> static void ct_put(const std::tuple<T...> &all) {
    bool first = true;
    ct_raw("{\"tuple\":[");
    std::apply([&](const auto &...one) { ((first ? (void)0 : ct_raw(","), first = false, ct_put(one)), ...); }, all);
    ct_raw("]}");
}
#endif
#ifdef _GLIBCXX_ARRAY
template <class T, __SIZE_TYPE__ N> static void ct_get(std::array<T, N> &all) {
    unsigned long long count = ct_unsigned();
    for (unsigned long long at = 0; at < count; at++) {
        T one{};
        ct_get(one);
        if (at < N) all[at] = one;
    }
}
template <class T, __SIZE_TYPE__ N> static void ct_put(const std::array<T, N> &all) { ct_put_all(all, "{\"list\":["); }
#endif
template <class A, class B> static void ct_get(std::pair<A, B> &one) {
    ct_get(one.first);
    ct_get(one.second);
}
template <class A, class B> static void ct_put(const std::pair<A, B> &one) {
    ct_raw("{\"tuple\":[");
    ct_put(one.first);
    ct_raw(",");
    ct_put(one.second);
    ct_raw("]}");
}

/* The name of the exception that is being handled, without its namespace. */
static const char *ct_exception() {
    static char name[64];
    int status = 0;
    const std::type_info *type = abi::__cxa_current_exception_type();
    char *whole = type ? abi::__cxa_demangle(type->name(), 0, 0, &status) : 0;
    const char *from = whole ? whole : "exception", *last = from;
    for (const char *at = from; *at; at++)
        if (*at == ':' || *at == ' ') last = at + 1;
    __SIZE_TYPE__ size = 0;
    for (; last[size] && size + 1 < sizeof name; size++) {
        char c = last[size];
        name[size] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ? c : '?';
    }
    name[size] = 0;
    return name;
}

#ifdef _GLIBCXX_ASSERTIONS
/* What the library calls when an index is out of range. */
namespace std {
void __glibcxx_assert_fail(const char *, int, const char *, const char *) noexcept {
    ct_undefined("index");
    __builtin_trap();
}
}
#endif
